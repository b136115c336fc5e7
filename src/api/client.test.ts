import { expect, test } from 'vitest';
import { startHub } from '../../test/contracts/running-hub.ts';
import { toyHub, type ToyHub } from '../../test/contracts/toy-hub.ts';
import { verifies } from '../../test/requirements.ts';
import { waitFor } from '../../test/servers/start.ts';
import type { Hub, HubEvent } from '../hub/hub.ts';
import { defineServer } from '../servers/definition.ts';
import { connectHub, shutdownHub } from './client.ts';
import { fetchSend } from './fetch-send.ts';

async function connected(): Promise<{
  toy: ToyHub;
  hub: Hub;
  running: Awaited<ReturnType<typeof startHub>>;
}> {
  const toy = toyHub();
  const running = await startHub(toy.hub);
  return { toy, running, hub: connectHub(running.send) };
}

const notes = defineServer({ id: 'notes', endpoint: { kind: 'stdio', command: 'notes', args: [], env: {} } });

verifies(
  ['H1'],
  'every operation of the Hub reaches the hub over the socket, and its answer comes back',
  async () => {
    const { toy, hub } = await connected();
    const added = await hub.servers.add(notes, { test: false });
    expect(added.server.id).toBe('notes');
    expect(await hub.servers.get('notes')).toEqual(added.server);
    for (const act of [
      'enable',
      'disable',
      'trust',
      'untrust',
      'start',
      'stop',
      'restart',
      'reconnect',
    ] as const) {
      expect((await hub.servers[act]('notes')).id).toBe('notes');
    }
    expect((await hub.servers.setReadOnly('notes', true)).readOnly).toBe(true);
    expect((await hub.servers.apply([notes])).added).toEqual(['notes']);
    expect(await hub.servers.reload()).toMatchObject({ added: [] });
    expect(await hub.servers.ensureStarted(['notes'])).toEqual(['notes']);
    expect([await hub.servers.restartFailed(), await hub.servers.stopAll()]).toEqual([[], []]);
    expect((await hub.servers.logs('notes', { lines: 2 })).stderr).toEqual(['line 0', 'line 1']);
    expect(await hub.servers.events({ server: 'notes', since: 1, limit: 2 })).toEqual([]);
    expect(await hub.tools.list({ server: 'notes' })).toEqual({
      tools: [],
      withheld: [],
      unavailable: [],
    });
    expect(await hub.resources.list()).toEqual({ resources: [], templates: [] });
    expect(await hub.resources.read({ server: 'notes', uri: 'a:b' })).toMatchObject({
      contents: [{ uri: 'a:b' }],
    });
    expect(await hub.resources.subscribe({ server: 'notes', uri: 'a:b' })).toBeUndefined();
    expect(await hub.resources.unsubscribe({ server: 'notes', uri: 'a:b' })).toBeUndefined();
    expect(await hub.prompts.list()).toEqual({ prompts: [] });
    expect(await hub.prompts.get({ server: 'notes', name: 'p', args: { a: 'b' } })).toMatchObject({
      args: { a: 'b' },
    });
    const completion = { server: 'notes', ref: { type: 'ref/prompt' }, argument: { name: 'a', value: 'v' } };
    expect(await hub.prompts.complete(completion)).toEqual({ completion: { values: ['v'] } });
    expect(await hub.prompts.setLogLevel({ server: 'notes', level: 'debug' })).toBeUndefined();
    await hub.profiles.save({ name: 'a b/ü', servers: ['n*'], readOnly: true });
    expect(await hub.profiles.list()).toEqual([{ name: 'a b/ü', servers: ['n*'], readOnly: true }]);
    await hub.profiles.remove('a b/ü');
    expect(await hub.profiles.list()).toEqual([]);
    await hub.servers.remove('notes');
    expect((await hub.servers.list()).servers).toEqual([]);
    expect(new Set(toy.reached).size).toBeGreaterThanOrEqual(29);
  },
);

test('the status over the socket says where the hub listens', async () => {
  const { hub, running } = await connected();
  const { url, socket } = running.address;
  expect(await hub.status()).toMatchObject({ version: '1.0.0', pid: process.pid, url, socket });
});

test('arguments and results of a call cross the wire unchanged, unknown fields included', async () => {
  const { hub } = await connected();
  const args = { text: 'line\nbreak “ü” \u2028 🎉', deep: { list: [1, null, { a: [] }] }, __proto__x: 1 };
  const { result } = await hub.tools.call({ tool: 'toy/echo', args });
  expect(result['args']).toEqual(args);
  const streamed = await hub.tools.call({ tool: 'toy/echo', args }, { onProgress: () => undefined });
  expect(streamed.result['args']).toEqual(args);
});

test('progress arrives in order before the result', async () => {
  const { hub } = await connected();
  const seen: number[] = [];
  const call = { tool: 'toy/steps' };
  const { result } = await hub.tools.call(call, { onProgress: ({ progress }) => void seen.push(progress) });
  expect([seen, result]).toEqual([[1, 2, 3], { steps: 3 }]);
  const waited: string[] = [];
  await hub.servers.waitUntilReady({ onProgress: ({ state }) => void waited.push(state.kind) });
  expect(waited).toEqual(['starting']);
});

for (const onProgress of [undefined, () => undefined]) {
  test(`cancelling a call ${onProgress ? 'with' : 'without'} progress cancels it in the hub`, async () => {
    const { toy, hub } = await connected();
    const cancel = new AbortController();
    const options = { signal: cancel.signal, ...(onProgress ? { onProgress } : {}) };
    const calling = hub.tools.call({ tool: 'toy/hang' }, options);
    await waitFor(() => toy.reached.includes('tools.call'));
    cancel.abort();
    await expect(calling).rejects.toMatchObject({ name: 'PlugError', code: 'cancelled' });
    await waitFor(() => toy.reached.includes('cancelled'));
  });
}

test('an error keeps its code, owner, server, details and next step across the wire', async () => {
  const { hub } = await connected();
  const failure = {
    name: 'PlugError',
    code: 'sign_in_needed',
    message: 'Sign in first.',
    owner: 'you',
    next: 'plug sign-in toy',
    server: 'toy',
    details: { account: 'none' },
  };
  const call = { tool: 'toy/fail' };
  await expect(hub.tools.call(call)).rejects.toMatchObject(failure);
  await expect(hub.tools.call(call, { onProgress: () => undefined })).rejects.toMatchObject(failure);
});

test('a request that does not fit names the field', async () => {
  const { hub, toy } = await connected();
  const wrong = { ...notes, endpoint: { ...notes.endpoint, command: '' } };
  await expect(hub.servers.add(wrong)).rejects.toMatchObject({
    code: 'usage',
    details: { field: 'definition.endpoint.command' },
  });
  expect(toy.reached).toEqual([]);
});

verifies(
  ['H1'],
  'a watcher sees what happens after watch() was called, and nobody listens once it stops',
  async () => {
    const { toy, hub } = await connected();
    const stop = new AbortController();
    const events = hub.watch({ signal: stop.signal });
    await hub.servers.add(notes, { test: false });
    const seen: HubEvent[] = [];
    for await (const event of events) {
      seen.push(event);
      stop.abort();
    }
    expect(seen).toMatchObject([{ kind: 'server-state', server: 'notes' }]);
    await waitFor(() => toy.watchers() === 0);
  },
);

test('a watcher listens again after the hub was restarted, and is told that it missed something', async () => {
  const first = toyHub();
  const running = await startHub(first.hub);
  const { paths } = running;
  const hub = connectHub(running.send);
  const reader = hub.watch()[Symbol.asyncIterator]();
  const next = reader.next();
  await waitFor(() => first.watchers() === 1);
  await running.close();
  const second = toyHub();
  await startHub(second.hub, { paths });
  expect((await next).value).toEqual({ kind: 'events-dropped', count: 0 });
  second.emit({ kind: 'resource-update', server: 'a', uri: 'b' });
  expect((await reader.next()).value).toMatchObject({ kind: 'resource-update' });
  await hub.close();
  expect(await reader.next()).toMatchObject({ done: true });
});

test('a host answers what a server asks, and closing it detaches it', async () => {
  const { toy, hub } = await connected();
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
  const { result } = await hub.tools.call({ tool: 'toy/ask', host: host.id });
  expect(result).toEqual({ action: 'accept', content: { name: 'Ada' } });
  expect(asked).toEqual([{ server: 'toy', kind: 'elicitation', params: { message: 'name?' } }]);
  expect(Object.keys(toy.hosts.get(host.id) ?? {})).toEqual(['elicitation']);
  await host.close();
  await host.close();
  expect(toy.hosts.size).toBe(0);
});

test('a question that its server gives up is taken back from the host', async () => {
  const { hub } = await connected();
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
  const calling = hub.tools.call({ tool: 'toy/ask', host: host.id }, { signal: cancel.signal });
  const signal = await shown.promise;
  cancel.abort();
  await expect(calling).rejects.toMatchObject({ code: 'cancelled' });
  await waitFor(() => signal.aborted);
});

test('a handler that fails fails the call with its reason', async () => {
  const { hub } = await connected();
  const elicitation = (): Promise<never> => Promise.reject(new Error('no terminal here'));
  await using host = await hub.hosts.attach({ name: 'terminal', handlers: { elicitation } });
  await expect(hub.tools.call({ tool: 'toy/ask', host: host.id })).rejects.toThrow('no terminal here');
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
    const { running } = await connected();
    const send = fetchSend({ url: running.address.url, token: running.token });
    const hub = connectHub(send);
    expect((await hub.status()).pid).toBe(process.pid);
    const seen: number[] = [];
    await hub.tools.call({ tool: 'toy/steps' }, { onProgress: ({ progress }) => void seen.push(progress) });
    expect(seen).toEqual([1, 2, 3]);
    await shutdownHub(send);
    await running.stopped;
    await expect(hub.status()).rejects.toMatchObject({ code: 'hub_unavailable' });
  },
);

test('a caller sees the hub from its own folder, and one that gives none from the hub’s', async () => {
  const root = toyHub();
  const seen: string[] = [];
  const inFolder = (folder: string): Promise<Hub> => {
    seen.push(folder);
    return Promise.resolve(toyHub({ version: '1.0.0', state: 'ready' }).hub);
  };
  const { send } = await startHub({ ...root.hub, in: inFolder });
  const project = connectHub(send, { folder: '/home/ada/prøject %41' });
  expect((await project.status()).counts).toEqual({ ready: 1 });
  expect((await project.status()).counts).toEqual({ ready: 1 });
  expect(seen).toEqual(['/home/ada/prøject %41', '/home/ada/prøject %41']);
  expect((await connectHub(send).status()).counts).toEqual({});
  await expect(connectHub(send, { folder: 'relative' }).status()).rejects.toMatchObject({ code: 'usage' });
});
