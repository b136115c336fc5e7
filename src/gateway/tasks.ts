import { isObject, type JsonObject } from '../base/json.ts';
import { hostRequestKind } from '../connections/host-answers.ts';
import { presentInputs } from '../connections/present-question.ts';
import { serverNote } from '../connections/server-words.ts';

/** A task's status message is marked as its server's words. */
export function taskWords(server: string, result: JsonObject): JsonObject {
  const { taskId, task } = result;
  // Most results are not tasks.
  if (taskId === undefined && task === undefined) return result;
  if (typeof taskId === 'string') return marked(server, taskQuestions(server, result).result);
  return isObject(task) ? { ...result, task: marked(server, task) } : result;
}

function marked(server: string, { statusMessage, ...task }: JsonObject): JsonObject {
  return typeof statusMessage === 'string'
    ? { ...task, statusMessage: serverNote(server, statusMessage) }
    : task;
}

/** Questions that a host may see, and answers to those it may not. */
export function taskQuestions(
  server: string,
  result: JsonObject,
): { readonly result: JsonObject; readonly answers: JsonObject } {
  const { inputRequests } = result;
  if (!isObject(inputRequests)) return { result, answers: {} };
  const { shown, answers } = presentInputs(server, inputRequests, hostRequestKind);
  return { result: { ...result, inputRequests: shown }, answers };
}

/** Servers may reuse task ids: hosts see `files/4711`. Server ids have no slash. */
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
