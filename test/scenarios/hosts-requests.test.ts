import { expect } from 'vitest';
import type { LogEntry } from '../../src/hub/hub.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { patience } from '../suite/patience.ts';
import { curious, hostCalled, told } from './hosts-world.ts';
import { local, withHub } from './lifecycle-hub.ts';

const SLOW = 40_000;
const ERAS = ['legacy', 'modern'] as const;
const TASKS = { 'io.modelcontextprotocol/tasks': {} };

verifies(
  ['C15'],
  'old servers are always told of forms, pages, models and roots; modern ones what the host of the request said',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [curious('old'), curious('new', { era: 'modern' })] });
      const all = {
        elicitation: { form: expect.anything(), url: {} },
        sampling: {},
        roots: { listChanged: true },
      };
      expect(await told(hub, 'old/declared')).toEqual(all);
      expect(await told(hub, 'new/listed')).toEqual({ ...all, extensions: TASKS });
      expect(await told(hub, 'new/declared')).toEqual({ extensions: TASKS });
      const said = {
        elicitation: { form: {}, future: { x: 1 } },
        extensions: { 'com.example/y': { z: [] } },
      };
      const handlers = hostCalled('ada', {
        capabilities: { ...said, experimental: { secret: true } },
      }).handlers;
      expect(await told(hub, 'new/declared', {}, { handlers })).toEqual(said);
      const host = await hub.hosts.attach({ name: 'ada', handlers });
      expect(await told(hub, 'new/declared', { host: host.id })).toEqual(said);
      expect(await told(hub, 'old/declared', { host: host.id })).toEqual(all);
    });
  },
  SLOW,
);

verifies(
  ['C15'],
  'each of several questions that a modern server asks at once reaches the host under its own key',
  async () => {
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions: [curious('new', { era: 'modern' })] });
      const ada = hostCalled('ada');
      expect(await told(hub, 'new/wonder', {}, { handlers: ada.handlers })).toEqual({
        one: { action: 'accept', content: { name: 'ada' } },
        two: { action: 'accept', content: { name: 'ada' } },
      });
      expect(ada.asked.map(({ key, params }) => [key, params['message']])).toEqual([
        ['one', 'new (server): One?'],
        ['two', 'new (server): Two?'],
      ]);
    });
  },
  SLOW,
);

for (const era of ERAS) {
  verifies(
    ['C15'],
    `what a ${era} server logs during a request is told to whoever made it, before its answer, from their level on`,
    async () => {
      await withHub({}, async ({ hub, seen }) => {
        await hub.servers.apply({ definitions: [curious('one', { era })] });
        const lines: string[] = [];
        const onLog = ({ level, data }: LogEntry): void =>
          void lines.push(`${level}: ${JSON.stringify(data)}`);
        const logged = told(hub, 'one/log', {}, { onLog, logLevel: 'info' }).then(() =>
          lines.push('answered'),
        );
        await logged;
        expect(lines).toEqual(['info: "a info"', 'error: "a error"', 'answered']);
        lines.length = 0;
        await told(hub, 'one/log', {}, { onLog, logLevel: 'error' });
        expect(lines).toEqual(['error: "a error"']);
        // An old link is told once of the lowest level; a modern one each time of this request's.
        const level = await told(hub, 'one/level', {}, { onLog, logLevel: 'error' });
        expect(level).toBe(era === 'legacy' ? 'none info' : 'error');
        await told(hub, 'one/log', {}, { onLog, logLevel: 'debug' });
        expect(lines.at(1)).toBe('debug: "a debug"');
        if (era === 'legacy') expect(await told(hub, 'one/level')).toBe('none info debug');
        await waitFor(() => seen.filter(({ kind }) => kind === 'server-log').length === 9);
        // Whoever did not ask is not told.
        const before = lines.length;
        await told(hub, 'one/log');
        expect(lines).toHaveLength(before);
      });
    },
    SLOW,
  );

  verifies(
    ['C15'],
    `a task of a ${era} server is passed on unfinished to whoever follows it, and so is what they ask about it`,
    async () => {
      await withHub({}, async ({ hub }) => {
        await hub.servers.apply({ definitions: [curious('one', { era })] });
        const given = era === 'modern' ? { passTask: true } : { task: { ttl: 5_000 } };
        const { result } = await hub.tools.call({ tool: 'one/long', ...given });
        const task = { taskId: 't1', status: 'working' };
        expect(result).toMatchObject(
          era === 'modern' ? { resultType: 'task', ...task } : { task, asked: { ttl: 5_000 } },
        );
        const params = { taskId: 't1', more: { kept: true } };
        expect(await hub.tools.task({ server: 'one', method: 'tasks/get', params })).toMatchObject({
          method: 'tasks/get',
          given: params,
        });
        const refused = hub.tools.task({ server: 'one', method: 'tools/call', params: { name: 'long' } });
        await expect(refused).rejects.toMatchObject({ code: 'unsupported' });
        const skills = { server: 'one', method: 'skills/list', params: { cursor: 'c' } };
        expect(await hub.resources.extension(skills)).toMatchObject({ given: { cursor: 'c' } });
        const other = hub.resources.extension({ ...skills, method: 'prompts/get' });
        await expect(other).rejects.toMatchObject({ code: 'unsupported' });
      });
    },
    SLOW,
  );
}

verifies(
  ['C10', 'C15'],
  'a host with its own connection subscribes there, and not on that of another',
  async () => {
    await withHub({}, async ({ hub, seen }) => {
      await hub.servers.apply({ definitions: [local('one', 'legacy', {}, { sharing: 'per-host' })] });
      const host = await hub.hosts.attach({ name: 'ada', handlers: {} });
      const other = await hub.hosts.attach({ name: 'bob', handlers: {} });
      const watched = { server: 'one', uri: 'test://watched' };
      const updates = (): number => seen.filter(({ kind }) => kind === 'resource-update').length;
      await hub.resources.subscribe({ ...watched, host: host.id });
      await run('touch', other.id);
      await run('touch', host.id);
      await waitFor(() => updates() > 0);
      await hub.resources.unsubscribe({ ...watched, host: host.id });
      await run('touch', host.id);
      await run('echo', host.id);
      expect(updates()).toBe(1);
      const nobody = hub.resources.subscribe({ ...watched, host: 'host_nobody' });
      await expect(nobody).rejects.toMatchObject({ code: 'not_found' });

      async function run(tool: string, id: string): Promise<void> {
        await hub.tools.call({ tool: `one/${tool}`, args: { message: 'x' }, host: id });
      }
    });
  },
  SLOW,
);

verifies(
  ['C10'],
  'whoever watches learns when tools are switched, trusted, approved, selected or ruled on',
  async () => {
    await withHub({}, async ({ hub, seen }) => {
      await hub.servers.add({ definition: curious('one') });
      const changes = (): number => seen.filter(({ kind }) => kind === 'tools-change').length;
      const step = async (run: () => Promise<unknown>): Promise<void> => {
        const before = changes();
        await run();
        await waitFor(() => changes() > before);
      };
      await step(() => hub.tools.setEnabled({ ref: 'one/log', enabled: false }));
      await step(() => hub.tools.setRisk({ ref: 'one/log', risk: 'read' }));
      await step(() => hub.tools.approve({ ref: 'one/log' }));
      await step(() => hub.servers.trust({ id: 'one' }));
      await step(() => hub.servers.untrust({ id: 'one' }));
      await step(() => hub.profiles.save({ name: 'few', servers: ['one'] }));
      await step(() => hub.profiles.remove({ name: 'few' }));
      await step(() => hub.policy.setDefaults({ call: { write: 'deny' } }));
      await step(() => hub.servers.disable({ id: 'one' }));
      expect(changes()).toBeGreaterThanOrEqual(9);
    });
  },
  SLOW,
);

verifies(
  ['C10'],
  'tools of a failed server are listed for whoever wants them, those of a disabled one never',
  async () => {
    await withHub({ limits: { restartAttemptsMax: 0 } }, async ({ hub }) => {
      await hub.servers.apply({ definitions: [local('broken', 'legacy'), local('off', 'modern')] });
      await hub.servers.waitUntilReady({ timeoutMs: patience(20_000) });
      await hub.servers.disable({ id: 'off' });
      await expect(hub.tools.call({ tool: 'broken/crash' })).rejects.toMatchObject({ code: 'crashed' });
      await waitFor(async () => (await hub.servers.get({ id: 'broken' })).state.kind === 'failed', 10_000);
      const servers = async (failed: boolean): Promise<readonly string[]> => [
        ...new Set((await hub.tools.list(failed ? { failed } : {})).tools.map(({ server }) => server)),
      ];
      expect(await servers(false)).toEqual([]);
      expect(await servers(true)).toEqual(['broken']);
    });
  },
  SLOW,
);
