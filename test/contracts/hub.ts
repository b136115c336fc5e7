import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Hub, HubEvent, ServerView } from '../../src/hub/hub.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { isAlive, startHttpFixture, stdioFixture, waitFor, type FixtureParams } from '../servers/start.ts';

export interface OpenedHub {
  readonly hub: Hub;
  /** A folder of this test alone. */
  readonly folder: string;
}

const TIMEOUT_MS = 30_000;

/** What every Hub promises, in-process or behind a connection. `open` closes what it opens. */
export function hubContract(name: string, open: () => Promise<OpenedHub>): void {
  const withServer = async (behavior = 'legacy', params: FixtureParams = {}): Promise<OpenedHub> => {
    const opened = await open();
    await opened.hub.servers.add({ definition: local('box', behavior, params) });
    return opened;
  };

  describe(name, () => {
    verifies(
      ['B1', 'S17'],
      'a server is added after it was tried, listed, shown and removed',
      async () => {
        const { hub } = await open();
        const added = await hub.servers.add({ definition: local('box', 'legacy') });
        expect(added).toMatchObject({
          tested: true,
          summary: expect.stringMatching(/^Connected to .*\d+ tools/),
        });
        expect(added.server).toMatchObject({ id: 'box', enabled: true, state: { kind: 'ready' } });
        expect((await hub.servers.list()).servers.map(({ id }) => id)).toEqual(['box']);
        const shown = await hub.servers.get({ id: 'box' });
        expect(shown).toMatchObject({ transport: 'stdio', era: 'legacy', serverInfo: { name: 'fixture' } });
        await hub.servers.remove({ id: 'box' });
        expect((await hub.servers.list()).servers).toEqual([]);
        await waitFor(() => !isAlive(shown.process?.pid ?? 0));
        await expect(hub.servers.get({ id: 'box' })).rejects.toMatchObject({
          code: 'not_found',
          owner: 'you',
        });
      },
      TIMEOUT_MS,
    );

    verifies(
      ['S17', 'L5'],
      'a server that does not start is not saved, and the error says what to do',
      async () => {
        const { hub } = await open();
        const error = await hub.servers
          .add({ definition: local('bad', 'exits-at-once') })
          .catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ name: 'PlugError', owner: 'you', server: 'bad' });
        expect(error).toMatchObject({
          code: 'missing_input',
          details: { needs: [{ oneOf: [{ where: 'env', name: expect.any(String) }] }] },
          next: expect.any(String),
        });
        expect((await hub.servers.list()).servers).toEqual([]);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C1', 'C2'],
      'a modern server behind HTTP is added and called like a local one',
      async () => {
        const { hub } = await open();
        const remote = await startHttpFixture('modern');
        onTestFinished(() => remote.close());
        await hub.servers.add({
          definition: defineServer({ id: 'far', endpoint: { kind: 'http', url: remote.url, headers: {} } }),
        });
        expect(await hub.servers.get({ id: 'far' })).toMatchObject({ era: 'modern', transport: 'http' });
        expect(textOf(await hub.tools.call({ tool: 'far/add', args: { a: 2, b: 3 } }))).toBe('5');
      },
      TIMEOUT_MS,
    );

    verifies(
      ['S7'],
      'a server that is switched off is neither offered nor called until it is on again',
      async () => {
        const { hub } = await withServer();
        const told = collect(hub, ({ kind }) => kind === 'server-state');
        expect((await hub.servers.disable({ id: 'box' })).state.kind).toBe('disabled');
        expect(await told).toMatchObject({ server: 'box', state: { kind: 'disabled' } });
        expect((await hub.tools.list()).tools).toEqual([]);
        const call = { tool: 'box/echo', args: { message: 'hi' } };
        await expect(hub.tools.call(call)).rejects.toMatchObject({
          code: 'disabled',
          next: expect.any(String),
        });
        expect((await hub.servers.enable({ id: 'box' })).enabled).toBe(true);
        expect(textOf(await hub.tools.call(call))).toBe('hi');
        expect((await hub.servers.setReadOnly({ id: 'box', readOnly: true })).readOnly).toBe(true);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C5'],
      'tools are listed from what is known, without starting a process',
      async () => {
        const { hub } = await withServer();
        await hub.servers.stop({ id: 'box' });
        const { tools } = await hub.tools.list({ server: 'box' });
        expect(tools.find(({ ref }) => ref === 'box/echo')).toMatchObject({
          server: 'box',
          name: 'echo',
          description: 'Says the message again.',
          definition: { annotations: { readOnlyHint: true } },
        });
        expect((await hub.servers.get({ id: 'box' })).state.kind).toBe('asleep');
      },
      TIMEOUT_MS,
    );

    verifies(
      ['L2'],
      'a call answers with what the server sent and wakes the server when it sleeps',
      async () => {
        const { hub } = await withServer();
        await hub.servers.stop({ id: 'box' });
        const message = 'zwei\nZeilen „ü“ 🎉';
        const answer = await hub.tools.call({ tool: 'box/echo', args: { message } });
        expect(answer).toMatchObject({ server: 'box', isError: false, callId: expect.any(String) });
        expect([textOf(answer), answer.durationMs >= 0]).toEqual([message, true]);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C6', 'C15'],
      'progress arrives in order before the result',
      async () => {
        const { hub } = await withServer();
        const seen: number[] = [];
        const call = { tool: 'box/slow', args: { ms: 80, steps: 4 } };
        const answer = await hub.tools.call(call, { onProgress: ({ progress }) => void seen.push(progress) });
        expect([seen, textOf(answer)]).toEqual([[1, 2, 3, 4], 'done after 4 steps']);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C6'],
      'cancelling a call reaches the server',
      async () => {
        const { hub, folder } = await withServer();
        const file = join(folder, 'cancelled');
        const cancel = new AbortController();
        const calling = hub.tools.call({ tool: 'box/hang', args: { file } }, { signal: cancel.signal });
        await waitFor(() => hasLine(`${file}.begun`));
        cancel.abort();
        await expect(calling).rejects.toMatchObject({ name: 'PlugError', code: 'cancelled' });
        await waitFor(() => hasLine(file));
        expect(readFileSync(file, 'utf8')).toMatch(/^cancelled /);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['L5'],
      'errors carry code, owner and next step',
      async () => {
        const { hub } = await withServer();
        await expect(hub.tools.call({ tool: 'box/ecco' })).rejects.toMatchObject({
          code: 'not_found',
          owner: 'you',
        });
        await expect(hub.tools.call({ tool: 'nobody/echo' })).rejects.toMatchObject({
          code: 'not_found',
          next: expect.any(String),
        });
        await expect(hub.tools.call({ tool: 'box/echo', args: {} })).rejects.toMatchObject({
          code: 'bad_arguments',
          owner: 'you',
        });
        await expect(hub.tools.call({ tool: 'box/crash' })).rejects.toMatchObject({
          code: 'crashed',
          owner: 'server',
          server: 'box',
        });
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C15'],
      'resources, templates, prompts and completions are listed and used',
      async () => {
        const { hub } = await withServer();
        const { resources, templates } = await hub.resources.list({ server: 'box' });
        expect(resources.map(({ definition }) => definition['uri'])).toContain('test://static');
        expect(templates).toMatchObject([{ server: 'box', definition: { uriTemplate: 'test://item/{id}' } }]);
        expect(await hub.resources.read({ server: 'box', uri: 'test://static' })).toMatchObject({
          contents: [{ text: 'static text' }],
        });
        expect((await hub.prompts.list()).prompts.map(({ definition }) => definition['name'])).toContain(
          'greet',
        );
        const greet = { server: 'box', name: 'greet', args: { who: 'Ada', style: 'short' } };
        expect(JSON.stringify(await hub.prompts.get(greet))).toContain('Greet Ada, short.');
        const ref = { type: 'ref/prompt', name: 'greet' };
        const argument = { name: 'style', value: 'f' };
        expect(await hub.prompts.complete({ server: 'box', ref, argument })).toMatchObject({
          completion: { values: ['formal', 'friendly'] },
        });
        expect(await hub.prompts.setLogLevel({ server: 'box', level: 'info' })).toBeUndefined();
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C15'],
      'a subscribed resource that changes is an event',
      async () => {
        const { hub } = await withServer();
        const updates = collect(hub, (event) => event.kind === 'resource-update');
        await hub.resources.subscribe({ server: 'box', uri: 'test://watched' });
        await hub.tools.call({ tool: 'box/touch' });
        expect(await updates).toMatchObject({ server: 'box', uri: 'test://watched' });
        expect(await hub.resources.unsubscribe({ server: 'box', uri: 'test://watched' })).toBeUndefined();
      },
      TIMEOUT_MS,
    );

    for (const era of ['legacy', 'modern']) {
      verifies(
        ['C15'],
        `what a ${era} server asks its host reaches the host, and the answer the server`,
        async () => {
          const { hub } = await open();
          await hub.servers.add({ definition: local('box', era) });
          const asked: unknown[] = [];
          await using host = await hub.hosts.attach({
            name: 'terminal',
            handlers: {
              elicitation: (request) => {
                asked.push(request);
                return Promise.resolve({ action: 'accept', content: { name: 'Ada' } });
              },
            },
          });
          const answer = await hub.tools.call({ tool: 'box/ask', host: host.id });
          expect(JSON.parse(textOf(answer))).toMatchObject({ action: 'accept', content: { name: 'Ada' } });
          expect(asked).toMatchObject([
            { server: 'box', kind: 'elicitation', params: { message: 'box (server): What is your name?' } },
          ]);
        },
        TIMEOUT_MS,
      );
    }

    verifies(
      ['C4', 'B1'],
      'every change of state is an event, live and in the history',
      async () => {
        const { hub } = await withServer();
        const asleep = collect(
          hub,
          (event) => event.kind === 'server-state' && event.state.kind === 'asleep',
        );
        await hub.servers.stop({ id: 'box' });
        expect(await asleep).toMatchObject({ server: 'box', state: { reason: expect.any(String) } });
        const kinds = (await hub.servers.events({ server: 'box' })).map(({ kind }) => kind);
        expect(kinds).toEqual(expect.arrayContaining(['CONNECTED', 'DISCONNECTED']));
        expect(await hub.servers.events({ server: 'box', limit: 1 })).toHaveLength(1);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C11', 'S4'],
      'setting the servers says what was added, changed, kept and removed',
      async () => {
        const { hub } = await open();
        const [a, b] = [local('a', 'legacy'), local('b', 'legacy')];
        expect(await hub.servers.apply({ definitions: [a, b] })).toMatchObject({
          added: ['a', 'b'],
          removed: [],
          changed: [],
        });
        const running = await hub.servers.start({ id: 'a' });
        const changed = local('b', 'legacy', { page: 3 });
        const outcome = await hub.servers.apply({ definitions: [a, changed, local('c', 'legacy')] });
        expect(outcome).toMatchObject({ added: ['c'], changed: ['b'], kept: ['a'], removed: [] });
        expect((await hub.servers.get({ id: 'a' })).process?.pid).toBe(running.process?.pid);
        expect(await hub.servers.apply({ definitions: [a] })).toMatchObject({
          removed: ['b', 'c'],
          kept: ['a'],
        });
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C11'],
      'waiting until ready reports progress and ends although one server fails',
      async () => {
        const { hub } = await open();
        await hub.servers.apply({ definitions: [local('good', 'legacy'), local('bad', 'exits-at-once')] });
        const seen: string[] = [];
        const { servers } = await hub.servers.waitUntilReady(
          { timeoutMs: 20_000 },
          { onProgress: ({ server, total }) => void seen.push(`${server} of ${total}`) },
        );
        expect(stateOf(servers)).toEqual({ good: 'ready', bad: 'failed' });
        expect(seen).toEqual(expect.arrayContaining(['good of 2', 'bad of 2']));
        expect(await hub.servers.restartFailed()).toEqual(['bad']);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C11', 'C12'],
      'restart makes a new process, stop-all ends all, each as often as one likes',
      async () => {
        const { hub } = await withServer();
        const before = (await hub.servers.get({ id: 'box' })).process?.pid ?? 0;
        const after = (await hub.servers.restart({ id: 'box' })).process?.pid ?? 0;
        expect([isAlive(after), after === before]).toEqual([true, false]);
        await waitFor(() => !isAlive(before));
        expect((await hub.servers.reconnect({ id: 'box' })).state.kind).toBe('ready');
        expect(await hub.servers.stopAll()).toEqual(['box']);
        await waitFor(() => !isAlive(after));
        expect(await hub.servers.stopAll()).toEqual([]);
        expect(await hub.servers.ensureStarted()).toEqual(['box']);
        await waitFor(async () => (await hub.servers.get({ id: 'box' })).state.kind === 'ready');
      },
      TIMEOUT_MS,
    );

    verifies(
      ['C8'],
      'what a server wrote to stderr can be read',
      async () => {
        const { hub } = await withServer();
        await hub.tools.call({ tool: 'box/crash' }).catch(() => undefined);
        await waitFor(async () =>
          (await hub.servers.logs({ id: 'box' })).stderr.some((line) => line.includes('disk is on fire')),
        );
        expect((await hub.servers.logs({ id: 'box', lines: 1 })).stderr).toHaveLength(1);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['S7'],
      'a profile narrows what is offered',
      async () => {
        const { hub } = await withServer();
        await hub.profiles.save({ name: 'sums', tools: { allow: ['box/add'] } });
        expect((await hub.profiles.list()).map((profile) => profile.name)).toEqual(['sums']);
        const { tools } = await hub.tools.list({ profile: 'sums' });
        expect(tools.map(({ ref }) => ref)).toEqual(['box/add']);
        await hub.profiles.remove({ name: 'sums' });
        expect(await hub.profiles.list()).toEqual([]);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['G7'],
      'a host is added with a token that is told once, listed without it, and revoked',
      async () => {
        const { hub } = await open();
        await hub.profiles.save({ name: 'look' });
        const { host, token } = await hub.hosts.add({ name: 'cursor', profile: 'look', readOnly: true });
        expect(host).toMatchObject({ name: 'cursor', profile: 'look', readOnly: true });
        expect(token).toMatch(/^plughost_/);
        expect(await hub.hosts.list()).toEqual([host]);
        await expect(hub.hosts.add({ name: 'cursor' })).rejects.toMatchObject({ code: 'already_exists' });
        await expect(hub.hosts.add({ name: 'a b' })).rejects.toMatchObject({ code: 'usage' });
        await expect(hub.hosts.add({ name: 'x', profile: 'lok' })).rejects.toThrow(/Did you mean look\?/);
        await hub.hosts.revoke({ name: 'cursor' });
        await expect(hub.hosts.revoke({ name: 'cursor' })).rejects.toMatchObject({ code: 'not_found' });
        expect(await hub.hosts.list()).toEqual([]);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['P9'],
      'the switch for everything bars what is not known to read, and says so',
      async () => {
        const { hub } = await withServer();
        expect(await hub.settings.change({ readOnly: true })).toMatchObject({ readOnly: true });
        expect(await hub.status()).toMatchObject({ readOnly: true });
        const { tools, withheld } = await hub.tools.list();
        expect(tools.filter(({ risk }) => risk !== 'read')).toEqual([]);
        const barred = withheld.find(({ cause }) => cause === 'read_only');
        expect(barred).toMatchObject({ next: 'plug read-only off' });
        const echo = { tool: 'box/echo', args: { message: 'hi' } };
        await expect(hub.tools.call(echo)).rejects.toMatchObject({
          code: 'denied',
          next: 'plug read-only off',
        });
        expect(await hub.settings.change({ readOnly: false })).toMatchObject({ readOnly: false });
        expect((await hub.tools.list()).withheld).toEqual([]);
        expect((await hub.tools.list({ readOnly: true })).tools).toEqual(tools);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['B1'],
      'the status counts servers and tools',
      async () => {
        const { hub } = await withServer();
        const status = await hub.status();
        expect(status).toMatchObject({ overall: 'ready', counts: { ready: 1 }, version: '1.0.0' });
        expect(status.tools).toBe((await hub.tools.list()).tools.length);
      },
      TIMEOUT_MS,
    );

    verifies(
      ['B1'],
      'closing ends every watch',
      async () => {
        const { hub } = await open();
        const next = hub.watch()[Symbol.asyncIterator]().next();
        await hub.close();
        await hub.close();
        expect((await next).done).toBe(true);
      },
      TIMEOUT_MS,
    );
  });
}

function local(id: string, behavior: string, params: FixtureParams = {}): ServerDefinition {
  const { command, args } = stdioFixture(behavior, params);
  return defineServer({ id, endpoint: { kind: 'stdio', command, args, env: {} } });
}

function textOf({ result }: { readonly result: Readonly<Record<string, unknown>> }): string {
  const [first] = result['content'] as readonly { readonly text: string }[]; // the fixture answers with text
  return first?.text ?? '';
}

function stateOf(servers: readonly ServerView[]): Record<string, string> {
  return Object.fromEntries(servers.map(({ id, state }) => [id, state.kind]));
}

/** The first event that fits, from now on. */
async function collect(hub: Hub, fits: (event: HubEvent) => boolean): Promise<HubEvent> {
  const stop = new AbortController();
  for await (const event of hub.watch({ signal: stop.signal })) {
    if (!fits(event)) continue;
    stop.abort();
    return event;
  }
  throw new Error('The watch ended without such an event.');
}

/** A file is there a moment before its first line is. */
function hasLine(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').endsWith('\n');
}
