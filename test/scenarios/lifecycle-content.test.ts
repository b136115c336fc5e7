import { expect } from 'vitest';
import type { HostHandlers, HostRequest } from '../../src/connections/host.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { published, startHttpFixture, waitFor } from '../servers/start.ts';
import { local, remote, textOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;
const ERAS = ['legacy', 'modern'] as const;

/** A host that answers everything, and remembers what it was asked. */
function answering(name: string, asked: HostRequest[]): HostHandlers {
  const answer =
    (result: (request: HostRequest) => Record<string, never> | object) => (request: HostRequest) => {
      asked.push(request);
      return Promise.resolve(result(request) as Record<string, never>); // plain JSON
    };
  return {
    elicitation: answer(({ params }) =>
      params['mode'] === 'url' ? { action: 'accept' } : { action: 'accept', content: { name } },
    ),
    sampling: answer(() => ({
      role: 'assistant',
      content: { type: 'text', text: `hello from ${name}` },
      model: 'm',
    })),
    roots: answer(() => ({ roots: [{ uri: `file:///${name}`, name }] })),
  };
}

for (const era of ERAS) {
  verifies(
    ['C15'],
    `resources, templates, prompts and completions of a ${era} server are all usable`,
    async () => {
      await withHub({}, async ({ hub }) => {
        await hub.servers.add({ definition: local('one', era) });
        const { resources, templates } = await hub.resources.list();
        expect(resources.map(({ definition }) => definition['uri'])).toEqual([
          'test://static',
          'test://binary',
          'test://watched',
        ]);
        expect(templates.map(({ definition }) => definition['uriTemplate'])).toEqual(['test://item/{id}']);
        const read = async (uri: string): Promise<unknown> =>
          (await hub.resources.read({ server: 'one', uri }))['contents'];
        expect(await read('test://item/7')).toMatchObject([{ text: '{"id":"7"}' }]);
        expect(await read('test://binary')).toMatchObject([{ blob: 'AAEC/w==' }]);
        await expect(read('test://nothing')).rejects.toMatchObject({ code: 'server_error' });

        expect((await hub.prompts.list()).prompts.map(({ definition }) => definition['name'])).toEqual([
          'plain',
          'greet',
        ]);
        const prompt = await hub.prompts.get({
          server: 'one',
          name: 'greet',
          args: { who: 'Ada', style: 'formal' },
        });
        expect(prompt['messages']).toMatchObject([{ content: { text: 'Greet Ada, formal.' } }]);
        const ref = { type: 'ref/prompt', name: 'greet' };
        const argument = { name: 'style', value: 'f' };
        expect(await hub.prompts.complete({ server: 'one', ref, argument })).toMatchObject({
          completion: { values: ['formal', 'friendly'] },
        });
      });
    },
    SLOW,
  );

  verifies(
    ['C15'],
    `a ${era} server's log messages arrive from the level on that was asked for, also after a restart`,
    async () => {
      await withHub({}, async ({ hub, seen }) => {
        await hub.servers.apply({ definitions: [local('one', era)] });
        const lines = (): readonly string[] =>
          seen.flatMap((event) => (event.kind === 'server-log' ? [`${event.level} ${event.logger}`] : []));
        await hub.prompts.setLogLevel({ server: 'one', level: 'error' });
        await textOf(hub, 'one/log', { level: 'info', count: 2 });
        await textOf(hub, 'one/log', { level: 'error', count: 1 });
        await waitFor(() => lines().length === 1);
        expect(lines()).toEqual(['error fixture']);
        await hub.servers.restart({ id: 'one' });
        await textOf(hub, 'one/log', { level: 'info', count: 2 });
        await textOf(hub, 'one/log', { level: 'error', count: 1 });
        await waitFor(() => lines().length === 2);
        expect(lines()).toEqual(['error fixture', 'error fixture']);
      });
    },
    SLOW,
  );

  verifies(
    ['C15'],
    `a ${era} server's questions — form, page, model, roots — reach the hub's own host`,
    async () => {
      const asked: HostRequest[] = [];
      await withHub({ handlers: answering('hub', asked) }, async ({ hub }) => {
        await hub.servers.apply({ definitions: [local('one', era)] });
        const json = async (tool: string): Promise<unknown> => JSON.parse(await textOf(hub, `one/${tool}`));
        expect(await json('ask')).toMatchObject({ action: 'accept', content: { name: 'hub' } });
        expect(await json('ask-url')).toMatchObject({ action: 'accept' });
        expect(await json('sample')).toMatchObject({ content: { text: 'hello from hub' } });
        expect(await json('roots')).toMatchObject({ roots: [{ uri: 'file:///hub' }] });
        expect(asked.map(({ server, kind }) => `${server} ${kind}`)).toEqual([
          'one elicitation',
          'one elicitation',
          'one sampling',
          'one roots',
        ]);
        expect(asked[1]?.params).toMatchObject({ mode: 'url', url: 'https://example.com/consent' });
      });
    },
    SLOW,
  );
}

verifies(
  ['C15', 'C12'],
  'each attached host answers for its own calls only, in both eras, over a pipe and over HTTP',
  async () => {
    await using modern = await startHttpFixture('modern');
    await using legacy = await startHttpFixture('legacy-stateful-sse');
    await withHub({}, async ({ hub }) => {
      const servers = [
        // Modern requests carry their host with them, so a shared connection will do.
        local('pipe-modern', 'modern'),
        remote('http-modern', modern.url),
        local('pipe-legacy', 'legacy', {}, { sharing: 'per-host' }),
        remote('http-legacy', legacy.url, { sharing: 'per-host' }),
      ];
      await hub.servers.apply({ definitions: servers });
      const hosts = ['ada', 'bob'].map((name) => ({ name, asked: [] as HostRequest[] }));
      const attached = await Promise.all(
        hosts.map(({ name, asked }) => hub.hosts.attach({ name, handlers: answering(name, asked) })),
      );
      for (const { id } of servers) {
        const answers = await Promise.all(attached.map((host) => textOf(hub, `${id}/ask`, {}, host.id)));
        expect(answers.map((each) => JSON.parse(each) as unknown)).toMatchObject([
          { content: { name: 'ada' } },
          { content: { name: 'bob' } },
        ]);
        const roots = await textOf(hub, `${id}/roots`, {}, attached[1]?.id);
        expect(JSON.parse(roots)).toMatchObject({ roots: [{ name: 'bob' }] });
      }
      expect(hosts.map(({ asked }) => asked.length)).toEqual([4, 8]);
      // Whoever has no host gets none of theirs.
      expect(await textOf(hub, 'pipe-legacy/ask')).toContain('This host can’t show the question');
      expect(hosts.map(({ asked }) => asked.length)).toEqual([4, 8]);
      for (const host of attached) await host.close();
    });
  },
  SLOW,
);

verifies(
  ['C15'],
  'a tool that runs only as a task answers with its own result, and tells how it goes',
  async () => {
    await withHub({ limits: { taskPollMinMs: 50 } }, async ({ hub }) => {
      const { command, args } = published('everything', 'stdio');
      await hub.servers.add({
        definition: defineServer({
          id: 'all',
          endpoint: { kind: 'stdio', command, args: [...args], env: {} },
        }),
      });
      const notes: string[] = [];
      const { result, isError } = await hub.tools.call(
        { tool: 'all/simulate-research-query', args: { topic: 'tides' } },
        { onProgress: ({ message }) => void notes.push(message ?? '') },
      );
      expect(isError).toBe(false);
      expect(JSON.stringify(result['content'])).toContain('tides');
      expect(notes.length).toBeGreaterThan(0);

      const abort = new AbortController();
      const left = hub.tools.call(
        { tool: 'all/simulate-research-query', args: { topic: 'clouds' } },
        { signal: abort.signal, onProgress: () => abort.abort() },
      );
      await expect(left).rejects.toMatchObject({ code: 'cancelled' });
    });
  },
  SLOW,
);

verifies(
  ['C16'],
  "a server's own name, version and instructions are shown, its processes and memory, and a warning past the limit",
  async () => {
    await withHub({ limits: { memoryWarnBytes: 1024 * 1024 } }, async ({ hub, folder }) => {
      const definition = local('one', 'grandchild', { file: `${folder}/pids` }, { name: 'My server' });
      const { server } = await hub.servers.add({ definition });
      expect(server).toMatchObject({
        id: 'one',
        name: 'My server',
        serverInfo: { name: 'fixture', title: 'Fixture server', version: '1.2.3' },
        instructions: 'Use echo to hear yourself.',
        process: {
          pid: expect.any(Number),
          warning: expect.stringMatching(/ \d+ MB of memory, more than 1 MB/),
        },
      });
      expect(server.process?.processes).toBeGreaterThanOrEqual(2);
      expect(server.process?.memoryBytes).toBeGreaterThan(10 * 1024 * 1024);
      expect(server.problems).toContain(server.process?.warning);
      expect((await hub.servers.stop({ id: 'one' })).process).toBeUndefined();
      expect(await hub.servers.get({ id: 'one' })).toMatchObject({ serverInfo: { version: '1.2.3' } });
    });
    await withHub({}, async ({ hub }) => {
      const { server } = await hub.servers.add({ definition: local('one', 'legacy') });
      expect(server.process).toMatchObject({ pid: expect.any(Number) });
    });
  },
  SLOW,
);
