import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordedHub, type RecordedHub } from '../../test/contracts/recorded-hub.ts';
import { openMemoryHub, startHub } from '../../test/contracts/running-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { played, reading, writing } from '../../test/scenarios/calls-played.ts';
import { local } from '../../test/scenarios/lifecycle-hub.ts';
import { waitFor } from '../../test/servers/start.ts';
import { temporaryFolder } from '../../test/servers/temporary-folder.ts';
import { yesToAll } from '../../test/yes-to-all.ts';
import type { PlugError } from '../base/errors.ts';
import type { CallResult, Hub, HubEvent } from '../hub/hub.ts';
import type { HubOptions } from '../hub/open-hub.ts';
import { connectHub, shutdownHub } from './client.ts';
import { fetchSend } from './fetch-send.ts';

interface Connected {
  readonly recorded: RecordedHub;
  readonly hub: Hub;
  readonly running: Awaited<ReturnType<typeof startHub>>;
}

async function connected(options: Partial<HubOptions> = { approve: yesToAll }): Promise<Connected> {
  const recorded = recordedHub({}, options);
  const running = await startHub(recorded.open);
  return { recorded, running, hub: connectHub(running.send) };
}

const LONG_MS = 40_000;
const notes = local('notes', 'legacy');

async function withNotes(): Promise<Connected> {
  const world = await connected();
  await world.hub.servers.add({ definition: notes, test: false });
  return world;
}

function firstText({ result }: CallResult): string {
  const [first] = result['content'] as readonly { readonly text: string }[]; // the fixture answers with text
  return first?.text ?? '';
}

verifies(
  ['H1'],
  'every operation of the Hub reaches the hub over the socket, and its answer comes back',
  async () => {
    const { recorded, hub } = await connected();
    const extra = local('extra', 'legacy');
    const added = await hub.servers.add({ definition: notes, test: false });
    expect(added.server.id).toBe('notes');
    const { state: _state, ...known } = added.server; // it starts by itself
    expect(await hub.servers.get({ id: 'notes' })).toMatchObject(known);
    for (const act of [
      'disable',
      'enable',
      'trust',
      'untrust',
      'start',
      'stop',
      'restart',
      'reconnect',
    ] as const) {
      expect((await hub.servers[act]({ id: 'notes' })).id).toBe('notes');
    }
    for (const readOnly of [true, false]) {
      expect((await hub.servers.setReadOnly({ id: 'notes', readOnly })).readOnly).toBe(readOnly);
    }
    expect((await hub.servers.apply({ definitions: [notes, extra] })).added).toEqual(['extra']);
    expect(await hub.servers.reload()).toMatchObject({ added: [] });
    expect(await hub.servers.ensureStarted({ ids: ['extra'] })).toEqual(['extra']);
    expect(await hub.servers.restartFailed()).toEqual([]);
    expect(await hub.servers.logs({ id: 'notes', lines: 2 })).toMatchObject({ server: 'notes', stderr: [] });
    expect(await hub.servers.events({ server: 'notes', since: 1, limit: 2 })).toHaveLength(2);
    await hub.servers.waitUntilReady();
    expect((await hub.tools.list({ server: 'notes' })).tools.map(({ ref }) => ref)).toContain('notes/echo');
    expect((await hub.resources.list()).resources.map(({ server }) => server)).toContain('notes');
    expect(await hub.resources.read({ server: 'notes', uri: 'test://static' })).toMatchObject({
      contents: [{ uri: 'test://static' }],
    });
    expect(await hub.resources.subscribe({ server: 'notes', uri: 'test://watched' })).toBeUndefined();
    expect(await hub.resources.unsubscribe({ server: 'notes', uri: 'test://watched' })).toBeUndefined();
    expect((await hub.prompts.list()).prompts.map(({ server }) => server)).toContain('notes');
    const greet = { server: 'notes', name: 'greet', args: { who: 'Ada', style: 'short' } };
    expect(JSON.stringify(await hub.prompts.get(greet))).toContain('Ada');
    const ref = { type: 'ref/prompt', name: 'greet' };
    const completion = { server: 'notes', ref, argument: { name: 'style', value: 'f' } };
    expect(await hub.prompts.complete(completion)).toMatchObject({
      completion: { values: ['formal', 'friendly'] },
    });
    expect((await hub.servers.stopAll()).length).toBe(2);
    expect(await hub.prompts.setLogLevel({ server: 'notes', level: 'debug' })).toBeUndefined();
    await hub.profiles.save({ name: 'job', servers: ['n*'], readOnly: true });
    expect(await hub.profiles.list()).toEqual([{ name: 'job', servers: ['n*'], readOnly: true }]);
    // A name in a path arrives as it was given.
    await expect(hub.profiles.remove({ name: 'a b/ü %41' })).rejects.toThrow('“a b/ü %41”');
    await hub.profiles.remove({ name: 'job' });
    expect(await hub.profiles.list()).toEqual([]);
    await hub.servers.remove({ id: 'notes' });
    expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['extra']);
    expect(new Set(recorded.reached).size).toBeGreaterThanOrEqual(29);
  },
  LONG_MS,
);

test('the status over the socket says where the hub listens', async () => {
  const { hub, running } = await connected();
  const { url, socket } = running.address;
  expect(await hub.status()).toMatchObject({ version: '1.0.0', pid: process.pid, url, socket });
});

test('arguments and results of a call cross the wire unchanged, unknown fields included', async () => {
  const { hub } = await connected();
  const answer = {
    content: [],
    'x-result': { kept: ['ü', null, { deep: [] }] },
    _meta: { 'example.com/a': 1 },
  };
  const server = played('notes', reading('get_note', { result: answer }));
  await hub.servers.add({ definition: server.definition, test: false });
  const args = { text: 'line\nbreak “ü” 🎉', deep: { list: [1, null, { a: [] }] }, __proto__x: 1 };
  const call = { tool: 'notes/get_note', args };
  expect((await hub.tools.call(call)).result).toEqual(answer);
  expect((await hub.tools.call(call, { onProgress: () => undefined })).result).toEqual(answer);
  expect(server.calls().map((each) => each.args)).toEqual([args, args]);
  await hub.servers.add({ definition: local('box', 'legacy'), test: false });
  const message = 'a line\u2028 or two';
  expect(firstText(await hub.tools.call({ tool: 'box/echo', args: { message } }))).toBe(message);
});

test('progress arrives in order before the result', async () => {
  const { hub } = await withNotes();
  const waited: string[] = [];
  await hub.servers.waitUntilReady({}, { onProgress: ({ state }) => void waited.push(state.kind) });
  expect(waited.at(-1)).toBe('ready');
  const seen: number[] = [];
  const call = { tool: 'notes/slow', args: { ms: 30, steps: 3 } };
  const answer = await hub.tools.call(call, { onProgress: ({ progress }) => void seen.push(progress) });
  expect([seen, firstText(answer)]).toEqual([[1, 2, 3], 'done after 3 steps']);
});

for (const onProgress of [undefined, () => undefined]) {
  test(`cancelling a call ${onProgress ? 'with' : 'without'} progress cancels it in the hub`, async () => {
    const { hub } = await withNotes();
    const file = join(temporaryFolder(), 'cancelled');
    const cancel = new AbortController();
    const options = { signal: cancel.signal, ...(onProgress ? { onProgress } : {}) };
    const calling = hub.tools.call({ tool: 'notes/hang', args: { file } }, options);
    await waitFor(() => existsSync(`${file}.begun`), 10_000);
    cancel.abort();
    await expect(calling).rejects.toMatchObject({ name: 'PlugError', code: 'cancelled' });
    await waitFor(() => readFileSync(file, 'utf8').startsWith('cancelled'));
  });
}

test('an error keeps its code, owner, server, details and next step across the wire', async () => {
  const { hub, running } = await connected({});
  const server = played('notes', writing());
  await hub.servers.add({ definition: server.definition, test: false });
  const call = { tool: 'notes/create_note', args: { text: 'hi' } };
  const failures = await Promise.all(
    [
      hub.tools.call(call),
      hub.tools.call(call, { onProgress: () => undefined }),
      running.hub.tools.call(call), // in this process
    ].map((calling) => calling.catch((error: unknown) => error as PlugError)),
  );
  const [failure, ...others] = failures.map((error) => ('toView' in error ? error.toView() : error));
  expect(failure).toMatchObject({
    code: 'approval_required',
    owner: 'you',
    next: 'plug grants add notes/create_note',
    remedy: { do: 'grant', tool: 'notes/create_note' },
    server: 'notes',
    details: { tool: 'create_note', decision: { effect: 'ask' } },
  });
  expect(others).toEqual([failure, failure]);
  expect(server.calls()).toEqual([]);
});

test('a request that does not fit names the field', async () => {
  const { hub, recorded } = await connected();
  const wrong = { ...notes, endpoint: { ...notes.endpoint, command: '' } };
  await expect(hub.servers.add({ definition: wrong })).rejects.toMatchObject({
    code: 'usage',
    details: { field: 'definition.endpoint.command' },
  });
  expect(recorded.reached).toEqual([]);
});

verifies(
  ['H1'],
  'a watcher sees what happens after watch() was called, and nobody listens once it stops',
  async () => {
    const { recorded, hub } = await connected();
    const stop = new AbortController();
    const events = hub.watch({ signal: stop.signal });
    await hub.servers.add({ definition: notes, test: false });
    const seen: HubEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      if (isOfNotes(event)) stop.abort();
    }
    expect(seen.some(isOfNotes)).toBe(true);
    await waitFor(() => recorded.watchers() === 0);
  },
);

test('a watcher listens again after the hub was restarted, and is told that it missed something', async () => {
  const first = recordedHub();
  const running = await startHub(first.open);
  const { paths } = running;
  const hub = connectHub(running.send);
  const reader = hub.watch()[Symbol.asyncIterator]();
  const next = reader.next();
  await waitFor(() => first.watchers() === 1);
  await running.close();
  await startHub(recordedHub().open, { paths });
  expect((await next).value).toEqual({ kind: 'events-dropped', count: 0 });
  await hub.servers.add({ definition: notes, test: false });
  expect(await readUntil(reader, isOfNotes)).toBe(true);
  await hub.close();
  expect(await readUntil(reader, () => false)).toBe(false);
});

function isOfNotes(event: HubEvent): boolean {
  return event.kind === 'server-state' && event.server === 'notes';
}

/** False when the events end without one that fits. */
async function readUntil(
  reader: AsyncIterator<HubEvent>,
  fits: (event: HubEvent) => boolean,
): Promise<boolean> {
  for (;;) {
    const read = await reader.next();
    if (read.done) return false;
    if (fits(read.value)) return true;
  }
}

test('a host answers what a server asks, and closing it detaches it', async () => {
  const { recorded, hub } = await withNotes();
  const asked: unknown[] = [];
  const host = await hub.hosts.attach({
    name: 'terminal',
    handlers: {
      elicitation: (request) => {
        asked.push(request);
        return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
      },
    },
  });
  const answer = await hub.tools.call({ tool: 'notes/ask', host: host.id });
  expect(JSON.parse(firstText(answer))).toMatchObject({ action: 'accept', content: { name: 'Ada' } });
  expect(asked).toMatchObject([
    { server: 'notes', kind: 'elicitation', params: { message: expect.stringContaining('your name?') } },
  ]);
  expect(Object.keys(recorded.hosts.get(host.id) ?? {})).toEqual(['elicitation']);
  await host.close();
  await host.close();
  expect(recorded.hosts.size).toBe(0);
});

test('a question that its server gives up is taken back from the host', async () => {
  const { hub } = await connected();
  await hub.servers.add({ definition: local('notes', 'modern'), test: false });
  const shown = Promise.withResolvers<AbortSignal>();
  await using host = await hub.hosts.attach({
    name: 'terminal',
    handlers: {
      elicitation: (_request, { signal }) => {
        shown.resolve(signal);
        return new Promise(() => undefined);
      },
    },
  });
  const cancel = new AbortController();
  const calling = hub.tools.call({ tool: 'notes/ask', host: host.id }, { signal: cancel.signal });
  const signal = await shown.promise;
  cancel.abort();
  await expect(calling).rejects.toMatchObject({ code: 'cancelled' });
  await waitFor(() => signal.aborted);
});

test('a handler that fails fails the call with its reason', async () => {
  const { hub } = await withNotes();
  const elicitation = (): Promise<never> => Promise.reject(new Error('no terminal here'));
  await using host = await hub.hosts.attach({ name: 'terminal', handlers: { elicitation } });
  const answer = await hub.tools.call({ tool: 'notes/ask', host: host.id });
  expect([answer.isError, firstText(answer)]).toEqual([true, expect.stringContaining('no terminal here')]);
});

test('without a hub every operation says how to start one', async () => {
  const { hub, running } = await connected();
  await running.close();
  await expect(hub.status()).rejects.toMatchObject({ code: 'hub_unavailable', next: 'plug hub start' });
});

verifies(
  ['H1'],
  'the same client works over the loopback port with the token, and can stop the hub',
  async () => {
    const { running } = await withNotes();
    const send = fetchSend({ url: running.address.url, token: running.token });
    const hub = connectHub(send);
    expect((await hub.status()).pid).toBe(process.pid);
    const seen: number[] = [];
    const call = { tool: 'notes/slow', args: { ms: 30, steps: 3 } };
    await hub.tools.call(call, { onProgress: ({ progress }) => void seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);
    await shutdownHub(send);
    await running.stopped;
    await expect(hub.status()).rejects.toMatchObject({ code: 'hub_unavailable' });
  },
);

test('a caller sees the hub from its own folder, and one that gives none from the hub’s', async () => {
  const { send } = await startHub(() => openMemoryHub());
  const folder = join(temporaryFolder(), 'prøject %41');
  mkdirSync(folder);
  writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ mcpServers: { own: { command: 'own' } } }));
  const idsSeenBy = async (hub: Hub): Promise<readonly string[]> =>
    (await hub.servers.list()).servers.map(({ id }) => id);
  const project = connectHub(send, { folder });
  expect([await idsSeenBy(project), await idsSeenBy(project)]).toEqual([['own'], ['own']]);
  expect(await idsSeenBy(connectHub(send))).toEqual([]);
  await expect(connectHub(send, { folder: 'relative' }).status()).rejects.toMatchObject({ code: 'usage' });
});
