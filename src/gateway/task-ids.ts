import { isObject, type JsonObject } from '../base/json.ts';

/**
 * Two servers may give their tasks the same id: a host sees each behind its server, as in
 * `files/4711`, and hands it back so. Server ids have no slash.
 */
export function shownTask(server: string, result: JsonObject): JsonObject {
  const { task, taskId } = result;
  if (typeof taskId === 'string') return { ...result, taskId: `${server}/${taskId}` };
  if (!isObject(task) || typeof task['taskId'] !== 'string') return result;
  return { ...result, task: { ...task, taskId: `${server}/${task['taskId']}` } };
}

export function taskOf(shown: unknown): { readonly server: string; readonly taskId: string } | undefined {
  const [, server, taskId] = (typeof shown === 'string' && /^([^/]+)\/(.+)$/s.exec(shown)) || [];
  return server === undefined || taskId === undefined ? undefined : { server, taskId };
}
