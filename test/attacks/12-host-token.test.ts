import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { operationNames, routes, usesQuery } from '../../src/api/routes.ts';
import { limits } from '../../src/base/limits.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { reading, writing } from '../scenarios/calls-played.ts';
import { WAIT_MS } from '../scenarios/gateway-wire-host.ts';
import { waitFor } from '../servers/start.ts';
import { hostWorld, waitingFor } from './host-world.ts';

const TIMEOUT_MS = 120_000;
/** A host that can show no form: its person is asked elsewhere. */
const formless = { capabilities: {} };

verifies(
  ['attack:12', 'G7', 'P6'],
  'a host cannot answer what it asked: its token opens no operation, and what it is told holds no key',
  async () => {
    const world = await hostWorld();
    const notes = await world.serve('notes', writing());
    const token = await world.token('cursor');
    const authorization = `Bearer ${token}`;
    for (const [era, kind] of [
      ['legacy', 'http'],
      ['modern', 'http'],
      ['legacy', 'sse'],
    ] as const) {
      const host = await world.host(token, era, kind, formless);
      const call = host.call('notes__create_note', { text: 'mine' }, { progressToken: 'p' });
      await waitFor(() => host.told('notifications/progress').length > 0, WAIT_MS);
      const [asked] = await waitingFor(world.plug);
      expect(asked?.id).toMatch(/^appr/);
      const { id = '', argsHash = '' } = asked ?? {};

      const body = JSON.stringify({ effect: 'allow', argsHash });
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = { method: 'POST', path: `/v1/approvals/${id}/answer`, headers, body };
      expect((await world.knock(answer)).status).toBe(401);

      const told = JSON.stringify(host.notes);
      expect(told).toContain(`plug approve ${id}`);
      expect(told).not.toMatch(/key=|\/approve\//);
      const form = new URLSearchParams({ decision: 'once', key: '' }).toString();
      const posted = {
        method: 'POST',
        path: `/approve/${id}`,
        headers: { authorization, 'content-length': form.length },
        body: form,
      };
      expect((await world.knock(posted)).status).toBe(404);

      expect((await waitingFor(world.plug)).map((each) => each.id)).toEqual([id]);
      expect(notes.calls()).toEqual([]);
      await world.plug.json('deny', id);
      expect(JSON.stringify(await call)).toContain('denied');
      expect(notes.calls()).toEqual([]);
    }
  },
  TIMEOUT_MS,
);

verifies(
  ['attack:12', 'G7', 'H1'],
  'with the token of a host every operation is refused, and the token of the hub opens no gateway',
  async () => {
    const world = await hostWorld();
    const token = await world.token('cursor');
    const authorization = `Bearer ${token}`;
    for (const name of operationNames.filter((each) => each !== 'health')) {
      const route = routes[name];
      const { status } = await world.knock({
        method: route.method,
        path: route.path.replaceAll(/:\w+/g, 'x'),
        headers: { authorization, 'content-type': 'application/json' },
        ...(usesQuery(route) ? {} : { body: '{}' }),
      });
      expect([name, status]).toEqual([name, 401]);
    }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const mcp = (given: string, path = '/mcp'): ReturnType<typeof world.knock> =>
      world.knock({
        method: 'POST',
        path,
        headers: { authorization: given, 'content-type': 'application/json', accept: 'application/json' },
        body,
      });
    for (const path of ['/mcp', '/mcp/p/x', '/mcp/s/x', '/sse/messages?sessionId=x']) {
      expect([path, (await mcp(authorization, path)).status]).not.toEqual([path, 401]);
      const { status, text } = await mcp(`Bearer ${world.hubToken}`, path);
      expect([path, status]).toEqual([path, 401]);
      expect(text).toContain('plug host add NAME');
    }
    expect((await world.knock({ path: '/v1/host-tokens', headers: { authorization } })).text).not.toContain(
      'cursor',
    );
  },
  TIMEOUT_MS,
);

verifies(
  ['G7'],
  'a revoked token opens nothing: calls that wait, sessions and streams of its host end at once',
  async () => {
    const world = await hostWorld();
    const notes = await world.serve('notes', writing(), reading());
    const [mine, other] = [await world.token('cursor'), await world.token('agent')];
    const legacy = await world.host(mine, 'legacy', 'http', formless);
    const modern = await world.host(mine, 'modern', 'http', formless);
    const old = await world.host(mine, 'legacy', 'sse', formless);
    const stays = await world.host(other, 'legacy', 'http', formless);
    const ended: string[] = [];
    const follow = (name: string, work: Promise<JsonObject>): void =>
      void work.then(
        (result) => ended.push(`${name}: ${JSON.stringify(result)}`),
        (error: unknown) => ended.push(`${name}: ${String(error)}`),
      );
    follow('legacy', legacy.call('notes__create_note', { n: 1 }, { progressToken: 1 }));
    follow('modern', modern.call('notes__create_note', { n: 2 }, { progressToken: 2 }));
    follow('sse', old.call('notes__create_note', { n: 3 }, { progressToken: 3 }));
    follow('listen', modern.request('subscriptions/listen', { notifications: { toolsListChanged: true } }));
    follow('stays', stays.call('notes__create_note', { n: 4 }, { progressToken: 4 }));
    await waitFor(async () => (await waitingFor(world.plug)).length === 4, WAIT_MS);
    await waitFor(() => modern.told('notifications/subscriptions/acknowledged').length > 0, WAIT_MS);

    await world.plug.json('host', 'revoke', 'cursor');
    // The old transport has no answer but its stream, which is gone.
    await waitFor(() => ended.length >= 3, WAIT_MS);
    expect(ended.map((each) => each.split(':')[0])).toEqual(
      expect.arrayContaining(['legacy', 'modern', 'listen']),
    );
    await waitFor(async () => (await waitingFor(world.plug)).length === 1, WAIT_MS);
    for (const host of [legacy, modern]) await expect(host.request('tools/list')).rejects.toThrow();
    const { status } = await world.knock({
      method: 'POST',
      path: '/mcp',
      headers: { authorization: `Bearer ${mine}` },
    });
    expect(status).toBe(401);
    const [left] = await waitingFor(world.plug);
    await world.plug.json('approve', left?.id ?? '');
    await waitFor(() => ended.some((each) => each.startsWith('stays')), WAIT_MS);
    expect(notes.calls().map(({ args }) => args)).toEqual([{ n: 4 }]);
    expect(await world.plug.json('host', 'list')).toMatchObject({ hosts: [{ name: 'agent' }] });
    const again = await world.plug('host', 'revoke', 'agnet');
    expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('Did you mean agent?')]);
  },
  TIMEOUT_MS,
);

verifies(
  ['G7', 'S7'],
  'a host that is bound to a profile reaches no other: no list, call, resource, server or stream of it',
  async () => {
    const world = await hostWorld({ rules: 'permissive' });
    const [notes, mail] = [
      await world.serve('notes', reading()),
      await world.serve('mail', reading('get_mail')),
    ];
    await world.plug.json('profile', 'save', 'own', '--servers', 'notes');
    await world.plug.json('profile', 'save', 'other', '--servers', 'mail');
    const token = await world.token('bound', '--profile', 'own');
    for (const path of ['/mcp?mode=all', '/mcp/p/own?mode=all']) {
      for (const era of ['legacy', 'modern'] as const) {
        const host = await world.host(token, era, 'http', { ...formless, path });
        const { tools } = (await host.request('tools/list')) as { tools: readonly { name: string }[] }; // as specified
        expect(tools.map(({ name }) => name)).toEqual(['notes__get_note', 'plug__read_result']);
        expect(JSON.stringify(await host.call('notes__get_note'))).toContain('done');
        await expect(host.call('mail__get_mail')).rejects.toThrow(/no tool|not offered/);
        for (const method of ['resources/read', 'resources/subscribe']) {
          if (era === 'modern' && method === 'resources/subscribe') continue;
          await expect(host.request(method, { uri: 'plug://mail/file:///inbox' })).rejects.toThrow(
            /not the address of a resource here/,
          );
        }
      }
    }
    for (const path of ['/mcp/p/other', '/mcp/s/mail', '/mcp/s/notes', '/sse/p/other', '/sse/s/mail']) {
      const method = path.startsWith('/sse') ? 'GET' : 'POST';
      const accept = 'application/json, text/event-stream';
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept };
      const answer = await world.knock({
        method,
        path,
        headers,
        ...(method === 'POST' ? { body: '{}' } : {}),
      });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.text).toContain('bound to the profile own');
    }
    for (const query of ['profile=other', 'server=mail', 'server=notes']) {
      expect(await upgrade(world.url, `/mcp/stream?${query}`, token)).toMatch(/^HTTP\/1\.1 403 /);
    }
    expect(await upgrade(world.url, '/mcp/stream', token)).toMatch(/^HTTP\/1\.1 101 /);
    // Without its profile it has nothing at all.
    await world.plug.json('profile', 'remove', 'own');
    const host = await world.host(token, 'modern', 'http', formless);
    await expect(host.call('notes__get_note')).rejects.toThrow(/no profile/);
    expect([notes.calls().length, mail.calls().length]).toEqual([4, 0]);
  },
  TIMEOUT_MS,
);

/** The beginning of what the hub answers to a request to upgrade. */
function upgrade(url: string, path: string, token: string): Promise<string> {
  const { host, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('error', reject).once('data', (chunk: Buffer) => {
      resolve(chunk.toString());
      socket.destroy();
    });
    const head = [
      `GET ${path} HTTP/1.1`,
      `host: ${host}`,
      `authorization: Bearer ${token}`,
      'connection: Upgrade',
      'upgrade: plug-mcp',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
  });
}

verifies(
  ['G7', 'L6'],
  'the audit names a host as its user does, and its token stands nowhere',
  async () => {
    const world = await hostWorld({ rules: 'permissive' });
    await world.serve('notes', reading());
    const token = await world.token('cursor');
    const host = await world.host(token, 'modern', 'http', formless);
    await host.call('notes__get_note', { n: 1 });
    const { records } = (await world.plug.json('audit')) as { records: readonly { requester: object }[] }; // as documented
    expect(records[0]?.requester).toMatchObject({ kind: 'host', name: 'cursor' });
    const outputs = await Promise.all(
      [
        ['host', 'list'],
        ['host', 'list', '--json'],
        ['audit', '--json'],
        ['status', '--json'],
        ['hub', 'status', '--json'],
        ['events', '--json'],
        ['backup', '--json'],
      ].map(async (argv) => Object.values(await world.plug(...argv)).join('\n')),
    );
    expect(outputs[0]).toMatch(/cursor +all +\d{4}-\d\d-\d\d \d\d:\d\d +\d{4}/);
    expect(outputs.join('\n')).not.toContain(token);
    const twice = await world.plug('host', 'add', 'cursor');
    expect([twice.code !== 0, twice.stderr]).toEqual([true, expect.stringContaining('“cursor” already')]);
    await world.plug.json('hub', 'stop');
    for (const file of filesIn(`${world.plug.home}/plug`)) {
      expect([file, readFileSync(file, 'latin1').includes(token)]).toEqual([file, false]);
    }
    // It still opens the gateway of the next hub, of which only the address may be another one.
    const { url } = (await world.plug.json('hub', 'start')) as { url: string }; // as documented
    const listed = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(listed.status).not.toBe(401);
    expect(await world.plug.json('host', 'list')).toMatchObject({
      hosts: [{ name: 'cursor', lastUsedAt: expect.any(Number) }],
    });
  },
  TIMEOUT_MS,
);

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

verifies(
  ['G7', 'H1'],
  'whoever guesses tokens at the gateway is slowed down, and a right one always passes',
  async () => {
    const world = await hostWorld();
    const token = await world.token('cursor');
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const statusOf = (bearer: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const outgoing = request(
          `${world.url}/mcp`,
          { agent, method: 'DELETE', headers: { authorization: `Bearer ${bearer}` } },
          (incoming) => {
            incoming.resume().once('end', () => resolve(incoming.statusCode ?? 0));
          },
        );
        outgoing.once('error', reject).end();
      });
    const guesses = Array.from({ length: limits.apiBadTokensPerMinuteMax }, (_, n) => `plughost_${n}`);
    const first = await Promise.all(guesses.map(statusOf));
    expect(new Set(first)).toEqual(new Set([401]));
    expect(await statusOf('plughost_one-more')).toBe(429);
    expect(await statusOf(token)).toBe(400);
    agent.destroy();
  },
  TIMEOUT_MS,
);
