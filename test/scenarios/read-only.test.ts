import { writeFileSync } from 'node:fs';
import { expect, onTestFinished } from 'vitest';
import { connectHub } from '../../src/api/client.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { connectSocket } from '../../src/daemon/connect.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { hostWorld, waitingFor, type HostWorld } from '../attacks/host-world.ts';
import { temporaryPaths } from '../contracts/running-hub.ts';
import { calls, startScriptedModel, text } from '../models/scripted-model.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { destroying, played, reading, writing, type Played, type PlayedTool } from './calls-played.ts';
import { WAIT_MS, type WireHost } from './gateway-wire-host.ts';
import { halvesOf } from './page-world.ts';

const TIMEOUT_MS = 240_000;

/** Its name and its description say nothing of what it does. */
const unclear: PlayedTool = { name: 'frobnicate', inputSchema: { type: 'object' } };
const TOOLS = [reading(), writing(), destroying(), unclear];
const WRITES = ['create_note', 'delete_note', 'frobnicate'] as const;
const formless = { capabilities: {} };

/** A hub on which everything that writes would run unasked, were it not for read-only mode. */
async function permissive(): Promise<{ readonly world: HostWorld; readonly notes: Played }> {
  const world = await hostWorld({ rules: 'permissive' });
  const notes = await world.serve('notes', ...TOOLS);
  await world.plug.json('trust', 'notes', '--yes');
  for (const tool of ['create_note', 'frobnicate']) await world.plug.json('grants', 'add', `notes/${tool}`);
  // What destroys is granted one by one.
  await world.plug.json('grants', 'add', 'notes/delete_note', '--once');
  return { world, notes };
}

/** How a host of each mode calls a tool, as its list says. */
const MODES: Readonly<Record<string, (host: WireHost, tool: string) => Promise<JsonObject>>> = {
  all: (host, tool) => host.call(`notes__${tool}`),
  servers: (host, tool) => host.call('notes', { action: tool, params: {} }),
  search: (host, tool) => host.call('call_tool', { name: `notes/${tool}`, arguments: {} }),
  code: (host, tool) => host.call('run_script', { code: `return await servers.notes.${tool}({})` }),
};

/** The answer or the error, as text. */
async function said(work: Promise<unknown>): Promise<string> {
  return work.then(
    (result) => JSON.stringify(result),
    (error: unknown) => String(error),
  );
}

function namesOf(notes: Played): readonly string[] {
  return [...new Set(notes.calls().map(({ name }) => name))];
}

function hubOf({ plug }: HostWorld): Hub {
  const home = `${plug.home}/plug`;
  return connectHub(connectSocket({ config: home, data: home, state: home }), { folder: plug.cwd });
}

verifies(
  ['P9'],
  'with the switch on, nothing but reads reaches a server from the terminal, the gateway in every mode, the API, the page or a chat',
  async () => {
    const { world, notes } = await permissive();
    const { plug } = world;
    expect(await plug.json('read-only')).toEqual({ readOnly: false, withheld: 0 });
    expect(await plug.json('read-only', 'on')).toEqual({ readOnly: true, withheld: 3 });

    for (const tool of WRITES) {
      const typed = await plug('call', `notes/${tool}`);
      expect([typed.code, typed.stderr]).toEqual([1, expect.stringMatching(/Read-only mode is on/)]);
      expect(typed.stderr).toMatch(/next +plug read-only off/);
    }
    expect((await plug('call', 'notes/get_note')).code).toBe(0);

    const token = await world.token('cursor');
    for (const [mode, call] of Object.entries(MODES)) {
      const hosts = await Promise.all([
        world.host(token, 'legacy', 'http', { ...formless, path: `/mcp?mode=${mode}` }),
        world.host(token, 'modern', 'http', { ...formless, path: `/mcp?mode=${mode}` }),
        world.host('', 'legacy', 'stdio', { ...formless, path: `--mode ${mode}` }),
        world.host('', 'modern', 'stdio', { ...formless, path: `--mode ${mode}` }),
      ]);
      for (const host of hosts) {
        const list = JSON.stringify(await host.request('tools/list'));
        for (const tool of WRITES) {
          expect([mode, list.includes(tool)]).toEqual([mode, false]);
          // In a script it is a function that is not there.
          const refusal = mode === 'code' ? /has no tool/ : /Read-only mode is on/;
          expect([mode, await said(call(host, tool))]).toEqual([mode, expect.stringMatching(refusal)]);
        }
        expect([mode, await said(call(host, 'get_note'))]).toEqual([mode, expect.stringContaining('done')]);
        await host.wire.kill();
      }
    }

    const api = (headers: Readonly<Record<string, string>>, tool: string): ReturnType<HostWorld['knock']> =>
      world.knock({
        method: 'POST',
        path: '/v1/calls',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ tool: `notes/${tool}`, requester: 'person', approval: 'wait' }),
      });
    const hub = hubOf(world);
    const link = await world.knock({
      method: 'POST',
      path: '/v1/page/link',
      headers: { authorization: `Bearer ${world.hubToken}`, 'content-type': 'application/json' },
      body: '{}',
    });
    const opened = new URL((JSON.parse(link.text) as { url: string }).url); // as documented
    const body = JSON.stringify({ token: opened.hash.slice('#open='.length) });
    const halves = halvesOf(
      await world.knock({
        method: 'POST',
        path: '/open',
        headers: { origin: world.url, 'content-type': 'application/json', 'content-length': body.length },
        body,
      }),
    );
    for (const tool of WRITES) {
      for (const headers of [
        { authorization: `Bearer ${world.hubToken}` },
        { ...halves, origin: world.url, 'sec-fetch-site': 'same-origin' },
      ]) {
        const answer = await api(headers, tool);
        expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('Read-only mode is on')]);
      }
      await expect(
        hub.tools.call({ tool: `notes/${tool}`, requester: 'person', approval: 'wait' }),
      ).rejects.toThrow(/Read-only mode is on/);
    }

    const model = await startScriptedModel();
    onTestFinished(() => model.close());
    await plug.json('model', 'add', 'fast', 'compatible', 'scripted', '--url', model.url);
    model.answer(calls(...WRITES.map((tool) => ({ name: `notes__${tool}`, args: {} }))), text('Over.'));
    const turn = await hub.chat.turn({ messages: [{ role: 'user', content: 'Write it down.' }] });
    expect(JSON.stringify(turn)).toContain('Over.');
    expect(JSON.stringify(model.requests[0]?.body['tools'])).not.toContain('create_note');

    expect(namesOf(notes)).toEqual(['get_note']);
    const { records } = (await plug.json('audit', '--limit', '200')) as {
      records: readonly { tool: string; outcome: string; by: object }[]; // as documented
    };
    const refused = records.filter(({ outcome }) => outcome === 'refused');
    expect(new Set(refused.map(({ tool }) => tool))).toEqual(new Set(WRITES));
    for (const { by } of refused) expect(by).toEqual({ kind: 'read_only', bar: { by: 'switch' } });
    await hub.close();
  },
  TIMEOUT_MS,
);

verifies(
  ['P9', 'T10'],
  'the switch is kept over a restart, shown wherever the state is shown, and says of each tool why it is withheld',
  async () => {
    const { world, notes } = await permissive();
    const { plug } = world;
    await plug.json('read-only', 'on');
    await plug.json('hub', 'restart');
    expect(await plug.json('read-only')).toEqual({ readOnly: true, withheld: 3 });
    expect(await plug.json('status')).toMatchObject({ readOnly: true });
    expect(await plug.json('hub', 'status')).toMatchObject({ readOnly: true });
    expect((await plug('status')).stdout).toMatch(/Read-only mode is on.*\n +next +plug read-only off/);
    expect((await plug('hub', 'status')).stdout).toContain('read-only mode is on');
    const { tools, withheld } = (await plug.json('tools', 'notes')) as {
      tools: readonly { name: string }[];
      withheld: readonly { name: string; cause: string; reason: string; next: string }[];
    }; // as documented
    expect(tools.map(({ name }) => name)).toEqual(['get_note']);
    expect(withheld.map(({ name, cause, next }) => ({ name, cause, next }))).toEqual(
      WRITES.map((name) => ({ name, cause: 'read_only', next: 'plug read-only off' })),
    );
    expect(withheld.find(({ name }) => name === 'frobnicate')?.reason).toBe(
      'Read-only mode is on, and this tool is of unknown risk.',
    );
    // Whoever cannot read the setting does not know that it is off.
    await plug.json('read-only', 'off');
    expect((await plug('call', 'notes/create_note')).code).toBe(0);
    await plug.json('hub', 'stop');
    writeFileSync(`${plug.home}/plug/settings.json`, '{"readOnly": tru');
    expect((await plug('call', 'notes/create_note')).stderr).toContain('Read-only mode is on');
    expect((await plug('read-only', 'off')).stderr).toContain('settings.json');
    writeFileSync(`${plug.home}/plug/settings.json`, '{}');
    await plug.json('read-only', 'off');
    expect((await plug('call', 'notes/create_note')).code).toBe(0);
    expect(notes.calls()).toHaveLength(2);
  },
  TIMEOUT_MS,
);

verifies(
  ['P9'],
  'hosts that are connected hear of the switch, and calls that wait for an answer are refused when it goes on',
  async () => {
    const world = await hostWorld();
    const notes = await world.serve('notes', ...TOOLS);
    const { plug } = world;
    const token = await world.token('cursor');
    const host = await world.host(token, 'legacy', 'http', { ...formless, path: '/mcp?mode=all' });
    const tools = async (): Promise<string> => JSON.stringify(await host.request('tools/list'));
    expect(await tools()).toContain('create_note');
    const changes = (): number => host.told('notifications/tools/list_changed').length;
    const waiting = said(host.call('notes__create_note', {}, { progressToken: 1 }));
    await waitFor(async () => (await waitingFor(plug)).length === 1, WAIT_MS);
    const [asked] = await waitingFor(plug);
    const before = changes();
    await plug.json('read-only', 'on');
    expect(await waiting).toMatch(/Read-only mode is on/);
    expect(await waitingFor(plug)).toEqual([]);
    const late = await plug('approve', asked?.id ?? '');
    expect([late.code, late.stderr]).toEqual([6, expect.stringContaining('No call waits')]);
    await waitFor(() => changes() > before, WAIT_MS);
    expect(await tools()).not.toContain('create_note');
    await plug.json('read-only', 'off');
    await waitFor(() => changes() > before + 1, WAIT_MS);
    expect(await tools()).toContain('create_note');
    expect(notes.calls()).toEqual([]);
  },
  TIMEOUT_MS,
);

verifies(
  ['P9', 'G7', 'S7'],
  'a profile, a token or an address is read-only for its hosts alone',
  async () => {
    const { world, notes } = await permissive();
    const { plug } = world;
    await plug.json('profile', 'save', 'look', '--read-only');
    const [free, bound, reads] = [
      await world.token('free'),
      await world.token('bound', '--profile', 'look'),
      await world.token('reads', '--read-only'),
    ];
    const hosts = {
      profile: await world.host(free, 'modern', 'http', { ...formless, path: '/mcp/p/look?mode=all' }),
      bound: await world.host(bound, 'legacy', 'http', { ...formless, path: '/mcp?mode=all' }),
      token: await world.host(reads, 'modern', 'http', { ...formless, path: '/mcp?mode=all' }),
      server: await world.host(reads, 'legacy', 'http', { ...formless, path: '/mcp/s/notes' }),
      address: await world.host(free, 'modern', 'http', { ...formless, path: '/mcp?mode=all&read-only' }),
      flag: await world.host('', 'legacy', 'stdio', { ...formless, path: '--mode all --read-only' }),
    };
    for (const [kind, host] of Object.entries(hosts)) {
      const prefix = kind === 'server' ? '' : 'notes__';
      expect([kind, JSON.stringify(await host.request('tools/list'))]).toEqual([
        kind,
        expect.not.stringContaining('create_note'),
      ]);
      for (const tool of WRITES) {
        expect([kind, await said(host.call(`${prefix}${tool}`))]).toEqual([
          kind,
          expect.stringMatching(/read-only/),
        ]);
      }
      expect(await said(host.call(`${prefix}get_note`))).toContain('done');
    }
    const through = await plug('call', 'notes/create_note', '--profile', 'look');
    expect([through.code, through.stderr]).toEqual([
      1,
      expect.stringContaining('The profile look is read-only'),
    ]);
    const knocked = { authorization: `Bearer ${free}` };
    expect((await world.knock({ path: '/mcp?read-only=maybe', headers: knocked })).status).toBe(400);
    expect(namesOf(notes)).toEqual(['get_note']);
    expect((await plug('call', 'notes/create_note')).code).toBe(0);
    expect(namesOf(notes)).toEqual(['get_note', 'create_note']);
  },
  TIMEOUT_MS,
);

verifies(
  ['P9', 'B1'],
  'a program that embeds the hub is barred like every other face, whoever approves there',
  async () => {
    const paths = temporaryPaths();
    const notes = played('notes', ...TOOLS);
    const hub = await openHub({
      paths,
      cwd: paths.state,
      env: { PATH: process.env['PATH'] },
      version: '1.0.0',
      approve: () => Promise.resolve({ effect: 'allow' }),
    });
    onTestFinished(() => hub.close());
    await hub.servers.add({ definition: defineServer(notes.definition) });
    await hub.settings.change({ readOnly: true });
    for (const tool of WRITES) {
      await expect(hub.tools.call({ tool: `notes/${tool}` })).rejects.toMatchObject({
        code: 'denied',
        next: 'plug read-only off',
      });
      await expect(hub.policy.explain({ tool: `notes/${tool}` })).resolves.toMatchObject({ effect: 'deny' });
    }
    await hub.settings.change({ readOnly: false });
    await expect(hub.tools.call({ tool: 'notes/create_note', readOnly: true })).rejects.toThrow(/read-only/);
    expect((await hub.tools.list({ readOnly: true })).tools.map(({ name }) => name)).toEqual(['get_note']);
    expect(notes.calls()).toEqual([]);
    await hub.tools.call({ tool: 'notes/create_note' });
    expect(namesOf(notes)).toEqual(['create_note']);
  },
  TIMEOUT_MS,
);
