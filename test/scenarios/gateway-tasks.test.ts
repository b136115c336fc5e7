import { expect } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json.ts';
import { verifies } from '../requirements.ts';
import { firstText, gatewayWorld, legacyHost, modernHost } from './gateway-world.ts';
import { curious } from './hosts-world.ts';

const META = 'io.modelcontextprotocol/';
const FOLLOWS = { extensions: { [`${META}tasks`]: {} } };
const RELATED = `${META}related-task`;
const all = { mode: 'all' } as const;

function taskIn(result: JsonObject): string {
  const { task, taskId = isObject(task) ? task['taskId'] : undefined } = result;
  return typeof taskId === 'string' ? taskId : 'no task';
}

const NO_SUCH_TASK = { code: -32602 };

verifies(
  ['G2', 'G7'],
  'a task is known to the host that began it alone, though its server counts its ids',
  async () => {
    const servers = [curious('old', { tasks: true }), curious('new', { era: 'modern' })];
    const { gateway } = await gatewayWorld(servers, { rules: 'permissive' });
    const ada = await legacyHost(gateway, all);
    const bob = await legacyHost(gateway, all);
    expect(ada.result['capabilities']).toMatchObject({ tasks: { requests: { tools: { call: {} } } } });
    const begun = await ada.request('tools/call', { name: 'old__long', arguments: {}, task: { ttl: 5_000 } });
    const taskId = taskIn(begun);
    expect(taskId).not.toContain('t1');
    expect(await ada.request('tasks/get', { taskId })).toMatchObject({
      taskId,
      given: { taskId: 't1' },
      _meta: { [RELATED]: { taskId } },
    });
    for (const guess of [taskId, 't1', 'old/t1', 'new/t1']) {
      await expect(bob.request('tasks/get', { taskId: guess })).rejects.toMatchObject(NO_SUCH_TASK);
      await expect(bob.request('tasks/cancel', { taskId: guess })).rejects.toMatchObject(NO_SUCH_TASK);
    }
    const follower = modernHost(gateway, all, FOLLOWS);
    const handle = await follower.request('tools/call', { name: 'new__long', arguments: {} });
    expect(handle).toMatchObject({ resultType: 'task' });
    const shown = taskIn(handle);
    expect(await follower.request('tasks/get', { taskId: shown })).toMatchObject({
      taskId: shown,
      given: { taskId: 't1' },
    });
    await expect(ada.request('tasks/get', { taskId: shown })).rejects.toMatchObject(NO_SUCH_TASK);
  },
);

verifies(
  ['G2', 'G7'],
  'the endpoint of one server keeps its task ids and lists a host its own tasks alone',
  async () => {
    const { gateway } = await gatewayWorld([curious('one', { tasks: true })], { rules: 'permissive' });
    const scope = { server: 'one' };
    const [ada, bob] = [await legacyHost(gateway, scope), await legacyHost(gateway, scope)];
    expect(ada.result['capabilities']).toMatchObject({ tasks: { list: {}, cancel: {} } });
    const begin = { name: 'long', arguments: {}, task: {} };
    expect(taskIn(await ada.request('tools/call', begin))).toBe('t1');
    expect(taskIn(await bob.request('tools/call', begin))).toBe('t2');
    expect(await ada.request('tasks/get', { taskId: 't1' })).toMatchObject({ taskId: 't1' });
    await expect(bob.request('tasks/get', { taskId: 't1' })).rejects.toMatchObject(NO_SUCH_TASK);
    expect(await ada.request('tasks/list')).toMatchObject({ tasks: [{ taskId: 't1' }] });
    expect((await bob.request('tasks/list'))['tasks']).toEqual([{ taskId: 't2', status: 'working' }]);
  },
);

verifies(
  ['G2'],
  'a question of a task names it as its host knows it, and the answer as its server does',
  async () => {
    const { gateway } = await gatewayWorld([curious('one', { tasks: true })], { rules: 'permissive' });
    const host = await legacyHost(gateway, all, { elicitation: {} }, (_, { _meta }) => ({
      action: 'accept',
      content: {},
      ...(_meta === undefined ? {} : { _meta }),
    }));
    const task = taskIn(await host.request('tools/call', { name: 'one__long', arguments: {}, task: {} }));
    const wonder = async (own: string): Promise<unknown> => {
      const params = { name: 'one__wonder', arguments: { task: own } };
      return JSON.parse(firstText(await host.request('tools/call', params)));
    };
    expect(await wonder('t1')).toMatchObject({ _meta: { [RELATED]: { taskId: 't1' } } });
    expect(host.asked[0]?.params).toMatchObject({ _meta: { [RELATED]: { taskId: task } } });
    // Somebody else's task is none that this host could know.
    expect(await wonder('t7')).toEqual({ action: 'accept', content: {}, _meta: {} });
    expect(host.asked[1]?.params['_meta']).toEqual({});
  },
);

verifies(
  ['G2'],
  'a host hears of the status of its own tasks, in the server’s name, and of no other',
  async () => {
    const { gateway } = await gatewayWorld([curious('one', { tasks: true })], { rules: 'permissive' });
    const [ada, bob] = [await legacyHost(gateway, all), await legacyHost(gateway, all)];
    const begin = { name: 'one__long', arguments: {}, task: {} };
    const task = taskIn(await ada.request('tools/call', begin));
    const other = taskIn(await bob.request('tools/call', begin));
    for (const taskId of ['t1', 't2', 't3']) {
      await bob.request('tools/call', { name: 'one__status', arguments: { taskId } });
    }
    const heard = (host: typeof ada): unknown => host.notes.filter(({ method }) => method.includes('tasks/'));
    const status = { status: 'working', statusMessage: expect.stringContaining('one (server)') };
    const note = (taskId: string): object => ({
      method: 'notifications/tasks/status',
      params: { taskId, ...status },
    });
    await expect.poll(() => heard(bob)).toEqual([note(other)]);
    expect(heard(ada)).toEqual([note(task)]);
  },
);
