import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { operationNames, routes } from '../../src/api/routes.ts';
import { knock } from '../contracts/knock.ts';
import { verifies } from '../requirements.ts';
import { patience } from '../suite/patience.ts';
import { startTyping } from '../scenarios/typed-plug.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { browse } from '../sign-in/browser.ts';
import { startAuthorizationServer, startProtectedServer } from '../sign-in/start.ts';
import { markedWorld } from './approval-link.ts';
import { waitingFor } from './host-world.ts';
import { EVIL, loadForeignPage, NAMES, rebindingBrowser, type Try } from './rebinding-browser.ts';
import { expectRefusals, leaks, notRefused } from './rebinding-refusals.ts';

const LONG_MS = 180_000;
const ADDRESS = /^ {2}(http:\/\/127\.0\.0\.1:\d+\/auth\?\S+)$/m;
const JSON_TYPE = { 'content-type': 'application/json' };

/** What a page could have learned that no page knows, so that the name is all that it is refused for. */
interface Known {
  readonly hubToken: string;
  readonly hostToken: string;
  readonly approval: { readonly id: string; readonly argsHash: string; readonly link: string };
  readonly pageToken: string;
  /** Written by the program of the server that the page wants added. */
  readonly marker: string;
}

const server = (marker: string): object => ({
  id: 'planted',
  endpoint: {
    kind: 'stdio',
    command: process.execPath,
    args: ['-e', `require('node:fs').writeFileSync(${JSON.stringify(marker)}, '')`],
  },
});

/** Every operation with its own method and those of forms, without a token and with the right one. */
function operations(base: string, known: Known): readonly Try[] {
  const { approval, hubToken, marker } = known;
  const bodies: Readonly<Record<string, object>> = {
    'servers.add': { definition: server(marker) },
    'servers.apply': { definitions: [server(marker)] },
    'tools.call': { tool: 'notes/add_note', args: {} },
    'approvals.answer': { effect: 'allow', argsHash: approval.argsHash },
  };
  return operationNames.flatMap((name) => {
    const { method: own, path } = routes[name];
    const id = name.startsWith('approvals.') ? approval.id : 'notes';
    const url = `${base}${path.replaceAll(':id', id).replaceAll(/:\w+/g, 'x')}`;
    return [...new Set([own, 'GET', 'POST'])].flatMap((method) => {
      const body = method === 'POST' || method === 'PUT' ? { body: JSON.stringify(bodies[name] ?? {}) } : {};
      return [{}, { authorization: `Bearer ${hubToken}` }].map((token): Try => {
        return ['fetch', url, { method, headers: { ...JSON_TYPE, ...token }, ...body }];
      });
    });
  });
}

/** The gateway, the doors of the page and of an approval. */
function doors(base: string, { approval, hostToken, hubToken, pageToken }: Known): readonly Try[] {
  const { pathname, search, searchParams } = new URL(approval.link);
  const answer = new URLSearchParams({ key: searchParams.get('key') ?? '', decision: 'once' }).toString();
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const accept = 'application/json, text/event-stream';
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const hosts = [{}, ...[hostToken, hubToken].map((token) => ({ authorization: `Bearer ${token}` }))];
  return [
    ...hosts.flatMap((token): readonly Try[] => [
      ['fetch', `${base}/mcp`, { method: 'POST', headers: { ...JSON_TYPE, ...token, accept }, body: hello }],
      ['fetch', `${base}/mcp`, { headers: { ...token, accept } }],
      ['fetch', `${base}/sse`, { headers: { ...token, accept } }],
      ['fetch', `${base}/sse/messages?sessionId=x`, { method: 'POST', headers: { ...token }, body: hello }],
      ['fetch', `${base}/mcp/stream`, { headers: { ...token } }],
    ]),
    [
      'fetch',
      `${base}/open`,
      { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ token: pageToken }) },
    ],
    ['fetch', `${base}${pathname}${search}`, {}],
    ['fetch', `${base}${pathname}`, { method: 'POST', headers: form, body: answer }],
    ...['/', '/servers', '/app-frame', '/health', '/nothing'].map((path): Try => [
      'fetch',
      `${base}${path}`,
      {},
    ]),
  ];
}

/** What needs no script that may read the answer; none of it can carry a token. */
function blindly(base: string, { approval, marker, pageToken }: Known): readonly Try[] {
  const { pathname, search, searchParams } = new URL(approval.link);
  const fields = { key: searchParams.get('key') ?? '', decision: 'once' };
  const approve = `${base}${pathname}`;
  const blind = { mode: 'no-cors', credentials: 'include' };
  const add = JSON.stringify({ definition: server(marker) });
  return [
    ['form', approve, 'post', fields],
    ['form', `${base}/v1/shutdown`, 'post', {}],
    ['form', `${base}/open`, 'post', { token: pageToken }],
    ['fetch', approve, { ...blind, method: 'POST', body: new URLSearchParams(fields).toString() }],
    ['fetch', `${base}/v1/servers`, { ...blind, method: 'POST', body: add }],
    ['fetch', `${base}/open`, { ...blind, method: 'POST', body: JSON.stringify({ token: pageToken }) }],
    ['beacon', `${base}/v1/servers`, add],
    ...['/v1/events', '/sse', '/mcp'].map((path): Try => ['events', `${base}${path}`]),
    ...['/v1/events', '/mcp', '/mcp/stream', '/'].map((path): Try => ['socket', `${base}${path}`]),
    ...['/', '/app-frame', '/v1/status', `${pathname}${search}`].map((path): Try => [
      'frame',
      `${base}${path}`,
    ]),
    ['element', `${base}/icon.svg`, 'img'],
    ['element', `${base}/v1/status`, 'script'],
  ];
}

verifies(
  ['attack:dns-rebinding', 'H1'],
  'a page whose name comes to mean this machine is refused at every door of the hub, whatever it knows',
  async () => {
    const browser = await rebindingBrowser();
    const same = await loadForeignPage(browser);
    const other = await loadForeignPage(browser);
    // The hub takes the port at which the page was loaded: both are of one origin now.
    const { plug, ran, call } = await markedWorld({ PLUG_PORT: String(same.port) }, { hub: 'process' });
    const { url } = await plug.json('hub', 'status');
    expect(url).toBe(`http://127.0.0.1:${same.port}`);
    const waiting = await call('add_note');
    const [asked] = await waitingFor(plug);
    const link = new URL(String((await plug.json('open', '--print'))['url']));
    const known: Known = {
      hubToken: readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim(),
      hostToken: String((await plug.json('host', 'add', 'cursor'))['token']),
      approval: { id: asked?.id ?? '', argsHash: asked?.argsHash ?? '', link: waiting.link },
      pageToken: new URLSearchParams(link.hash.slice(1)).get('open') ?? '',
      marker: join(temporaryFolder(), 'planted'),
    };
    const base = `http://${EVIL}:${same.port}`;
    const before = await plug.json('hub', 'status');

    const tries = [...operations(base, known), ...doors(base, known), ...blindly(base, known)];
    for (const page of [same, other]) {
      expect(await leaks(page, tries)).toEqual([]);
      await expectRefusals(page, same.port, tries);
    }
    const { pathname, search } = new URL(waiting.link);
    const places = ['/', '/app-frame', '/v1/status', '/v1/events', '/mcp', '/sse', `${pathname}${search}`];
    const visited = NAMES.flatMap((name) => places.map((path) => `http://${name}:${same.port}${path}`));
    expect(await notRefused(other, visited)).toEqual([]);

    // Nothing has come of it: the same hub, the same servers, the question and the link still open.
    expect(await plug.json('hub', 'status')).toMatchObject({ pid: before['pid'] });
    expect([existsSync(known.marker), ran()]).toEqual([false, []]);
    expect((await waitingFor(plug)).map(({ id }) => id)).toEqual([known.approval.id]);
    const { servers } = (await plug.json('list')) as { servers: { id: string }[] };
    expect(servers.map(({ id }) => id)).toEqual(['notes']);
    const person = await browser.newPage();
    person.setDefaultTimeout(patience(30_000));
    await person.goto(link.href);
    await person.getByRole('navigation', { name: 'Plugboard' }).waitFor();
    await person.goto(waiting.link);
    await person.getByRole('button', { name: 'Yes, this call' }).click();
    expect(await waiting.ended).toContain('done');
    expect(ran()).toEqual(['add_note']);
    // Under the hub's own name the very same request would have started the program.
    await knock(
      { url: String(url) },
      {
        method: 'POST',
        path: '/v1/servers',
        headers: { host: `127.0.0.1:${same.port}`, authorization: `Bearer ${known.hubToken}`, ...JSON_TYPE },
        body: JSON.stringify({ definition: server(known.marker) }),
      },
    );
    expect(existsSync(known.marker)).toBe(true);
  },
  LONG_MS,
);

/** All that a page can send to where a sign-in waits for the browser. */
function answers(base: string, path: string, state: string): readonly Try[] {
  const said = [`code=stolen&state=${state}`, `error=access_denied&state=${state}`, 'code=stolen', ''];
  return said.flatMap((query): readonly Try[] => {
    const url = `${base}${path}?${query}`;
    return [
      ['fetch', url, {}],
      ['fetch', url, { mode: 'no-cors' }],
      ['fetch', url, { method: 'POST', body: query }],
      ['form', `${base}${path}`, 'get', Object.fromEntries(new URLSearchParams(query))],
      ['frame', url],
      ['events', url],
      ['socket', url],
      ['element', url, 'img'],
    ];
  });
}

for (const registration of ['by hand', 'by itself'] as const) {
  verifies(
    ['attack:dns-rebinding', 'H1', 'O7'],
    `a page whose name comes to mean this machine neither answers nor ends a sign-in (registered ${registration})`,
    async () => {
      const browser = await rebindingBrowser();
      const same = await loadForeignPage(browser);
      const other = await loadForeignPage(browser);
      const isByHand = registration === 'by hand';
      const as = await startAuthorizationServer(isByHand ? { registration: 'none' } : {});
      onTestFinished(() => as[Symbol.asyncDispose]());
      const site = await startProtectedServer({ issuer: as.origin });
      onTestFinished(() => site[Symbol.asyncDispose]());
      const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process' });
      expect((await plug('add', 'site', site.url, '--yes', '--no-test')).code).toBe(0);
      // The sign-in takes the port at which the page was loaded, where one can be chosen.
      const redirect = encodeURIComponent(`http://127.0.0.1:${same.port}/callback`);
      if (isByHand) await as.post(`/_client?id=by-hand&redirect=${redirect}`);
      const client = isByHand ? ['--client-id', 'by-hand', '--callback-port', String(same.port)] : [];
      const typing = startTyping(plug, ['auth', 'site', ...client]);
      const address = await typing.says(ADDRESS);
      const { searchParams } = new URL(address);
      const { port, pathname } = new URL(searchParams.get('redirect_uri') ?? '');
      expect(Number(port) === same.port).toBe(isByHand);
      const base = `http://${EVIL}:${port}`;
      const state = searchParams.get('state') ?? '';
      const tries = answers(base, pathname, state);
      for (const page of [same, other]) {
        expect(await leaks(page, tries)).toEqual([]);
        await expectRefusals(page, Number(port), tries);
      }
      const urls = NAMES.map((name) => `http://${name}:${port}${pathname}?code=stolen&state=${state}`);
      expect(await notRefused(other, urls)).toEqual([]);
      // It still waits, and for the person's own browser alone.
      await browse(address);
      expect((await typing.answer).stdout).toContain('Signed in to site as @alice.');
    },
    LONG_MS,
  );
}
