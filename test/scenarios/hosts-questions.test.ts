import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { verifies } from '../requirements.ts';
import { published, waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { defineServer } from '../../src/servers/definition.ts';
import { patience } from '../suite/patience.ts';
import { curious, hostCalled, told } from './hosts-world.ts';
import { textOf, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;

verifies(
  ['C15', 'C12'],
  'a question of an old server goes to the only host with a call in flight, and the next call has its own connection',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [curious('one')] });
      const [ada, bob] = [hostCalled('ada'), hostCalled('bob')];
      const first = await hub.hosts.attach({ name: 'ada', handlers: ada.handlers });
      const second = await hub.hosts.attach({ name: 'bob', handlers: bob.handlers });
      expect(await told(hub, 'one/level', { host: second.id })).toBe('none');
      expect(await told(hub, 'one/wonder', { host: first.id })).toMatchObject({ content: { name: 'ada' } });
      expect([spawns(), ada.asked.length, bob.asked.length]).toEqual([1, 1, 0]);
      // It asks its host, so each host gets its own from now on: also while the other one is busy.
      const holding = told(hub, 'one/hold', { host: first.id });
      expect(await told(hub, 'one/wonder', { host: second.id })).toMatchObject({ content: { name: 'bob' } });
      expect([spawns(), ada.asked.length, bob.asked.length]).toEqual([3, 1, 1]);
      await told(hub, 'one/release', { host: first.id });
      expect(await holding).toBe('released');
    });
  },
  SLOW,
);

verifies(
  ['C12'],
  'while two hosts use one connection nobody is asked, and each has its own when it calls again',
  async () => {
    await withHub({}, async ({ hub, spawns }) => {
      await hub.servers.apply({ definitions: [curious('one')] });
      const [ada, bob] = [hostCalled('ada'), hostCalled('bob')];
      const first = await hub.hosts.attach({ name: 'ada', handlers: ada.handlers });
      const second = await hub.hosts.attach({ name: 'bob', handlers: bob.handlers });
      const holding = told(hub, 'one/hold', { host: first.id });
      const wondering = await told(hub, 'one/wonder', { host: second.id });
      expect(wondering).toMatchObject({ message: expect.stringContaining('does not say whom it is for') });
      expect([ada.asked.length, bob.asked.length, spawns()]).toEqual([0, 0, 1]);
      expect(await told(hub, 'one/wonder', { host: second.id })).toMatchObject({ content: { name: 'bob' } });
      expect(bob.asked.length).toBe(1);
      await told(hub, 'one/release');
      expect(await holding).toBe('released');
      // Whoever has no name is nobody else: two such requests are two hosts.
      const nameless = hostCalled('nameless');
      const held = told(hub, 'one/hold', {}, { handlers: ada.handlers });
      const other = await told(hub, 'one/wonder', {}, { handlers: nameless.handlers });
      expect(other).toMatchObject({ message: expect.stringContaining('whom it is for') });
      await told(hub, 'one/release');
      await held;
      expect(await told(hub, 'one/wonder', {}, { handlers: nameless.handlers })).toMatchObject({
        content: { name: 'nameless' },
      });
    });
  },
  SLOW,
);

verifies(
  ['C15'],
  'where no person can be asked, an old server hears that, and not that a person canceled',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({
        definitions: [curious('one', { asks: 'roots' }), curious('two', {}, { sharing: 'shared' })],
      });
      expect(await told(hub, 'one/wonder')).toMatchObject({ code: -32601 });
      expect(await told(hub, 'one/roots')).toEqual([{ roots: [] }]);
      // A host that shows forms only is not asked to open a page.
      const forms = hostCalled('ada', { capabilities: { elicitation: { form: {} } } });
      expect(await told(hub, 'two/page', {}, { handlers: forms.handlers })).toMatchObject({ code: -32601 });
      expect(await told(hub, 'two/wonder', {}, { handlers: forms.handlers })).toMatchObject({
        action: 'accept',
      });
      expect(forms.asked.length).toBe(1);
    });
  },
  SLOW,
);

verifies(
  ['C15', 'C12'],
  "a host's own servers see its roots, its folder where it names none, and hear when they change",
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [curious('one', { asks: 'roots' })] });
      const cwd = temporaryFolder();
      const plain = await hub.hosts.attach({ name: 'plain', handlers: {}, cwd });
      expect(await told(hub, 'one/roots', { host: plain.id })).toEqual([
        { roots: [{ uri: pathToFileURL(cwd).href }] },
      ]);
      let name = 'before';
      const roots = () => Promise.resolve({ roots: [{ uri: `file:///${name}` }] });
      const rooted = await hub.hosts.attach({ name: 'rooted', handlers: { roots } });
      const seen = async (): Promise<unknown> => told(hub, 'one/roots', { host: rooted.id });
      expect(await seen()).toEqual([{ roots: [{ uri: 'file:///before' }] }]);
      name = 'after';
      rooted.rootsChanged();
      await waitFor(async () => ((await seen()) as unknown[]).length === 2);
      expect(await seen()).toEqual([
        { roots: [{ uri: 'file:///before' }] },
        { roots: [{ uri: 'file:///after' }] },
      ]);
      expect(await told(hub, 'one/roots', { host: plain.id })).toHaveLength(1);
    });
  },
  SLOW,
);

verifies(
  ['C15'],
  'while a server waits for a person, its call does not run out of time',
  async () => {
    const limitMs = patience(233);
    await withHub({ limits: { callTimeoutMs: limitMs } }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [curious('one')] });
      const slow = async (): Promise<{ action: string }> => {
        await new Promise((resolve) => setTimeout(resolve, limitMs * 2));
        return { action: 'accept' };
      };
      const host = await hub.hosts.attach({ name: 'slow', handlers: { elicitation: slow } });
      expect(await told(hub, 'one/wonder', { host: host.id })).toEqual({ action: 'accept', content: {} });
      await expect(told(hub, 'one/hold', { host: host.id })).rejects.toMatchObject({ code: 'call_timeout' });
    });
  },
  SLOW,
);

verifies(
  ['C15', 'C12'],
  'a published server that asks, samples and reads roots serves two hosts, each with its own answers',
  async () => {
    await withHub({}, async ({ hub }) => {
      const { command, args } = published('everything', 'stdio');
      const endpoint = { kind: 'stdio', command, args: [...args], env: {} } as const;
      await hub.servers.add({ definition: defineServer({ id: 'all', endpoint }) });
      const names = (await hub.tools.list()).tools.map((tool) => tool.name);
      // It hides these from a client that declares nothing.
      expect(names).toEqual(
        expect.arrayContaining(['trigger-elicitation-request', 'trigger-sampling-request', 'get-roots-list']),
      );
      for (const name of ['ada', 'bob']) {
        const host = await hub.hosts.attach({
          name,
          handlers: {
            elicitation: () => Promise.resolve({ action: 'accept', content: { name } }),
            sampling: () =>
              Promise.resolve({
                role: 'assistant',
                model: 'm',
                content: { type: 'text', text: `I am ${name}` },
              }),
            roots: () => Promise.resolve({ roots: [{ uri: `file:///${name}`, name }] }),
          },
        });
        const call = (tool: string, given = {}): Promise<string> =>
          textOf(hub, `all/${tool}`, given, host.id);
        expect(await call('trigger-sampling-request', { prompt: 'who?' })).toContain(`I am ${name}`);
        expect(await call('trigger-elicitation-request')).toContain('provided');
        await waitFor(async () => (await call('get-roots-list')).includes(`file:///${name}`), 5_000);
        expect(await call('get-roots-list')).toContain(`file:///${name}`);
      }
    });
  },
  SLOW,
);
