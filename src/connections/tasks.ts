import { ignore } from '../base/errors.ts';
import { plainNumber } from '../base/exact-number.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { cancelledError, rpcError, serverFailure, timeoutError } from './failures.ts';
import type { Bounds } from './limits.ts';
import type { CallPermit } from './permit.ts';
import { serverNote } from './server-words.ts';
import type { Session, SessionRequestOptions } from './session.ts';

export interface TaskOptions extends SessionRequestOptions, Bounds {}

/** A legacy tool that can be called only as a task (spec 2025-11-25, tasks). */
export function needsTask(session: Session, tool: JsonObject): boolean {
  if (session.modern) return false;
  const execution = tool['execution'];
  return isObject(execution) && execution['taskSupport'] === 'required';
}

/** Calls a tool as a task of 2025-11-25 and answers with the tool's own result. */
export async function callAsTask(
  session: Session,
  permit: CallPermit,
  params: JsonObject,
  options: TaskOptions,
): Promise<JsonObject> {
  const asked = { ...params, task: { ttl: options.limits.callTotalTimeoutMs } };
  const created = await session.callTool(permit, asked, options);
  const task = created['task'];
  if (!isObject(task)) return created; // the server answered at once
  const taskId = taskIdOf(session, task);
  // tasks/result also waits, and lets a task that needs input ask for it over the link.
  await follow(session, taskId, task, options);
  return withCancel(session, taskId, options, () => session.request('tasks/result', { taskId }, options));
}

/** Follows a task handle of the tasks extension (2026-07-28) to the tool's own result. */
export async function finishTask(
  session: Session,
  handle: JsonObject,
  options: TaskOptions,
): Promise<JsonObject> {
  const taskId = taskIdOf(session, handle);
  for (let round = 0; round <= options.limits.inputRoundsMax; round += 1) {
    const task = await follow(session, taskId, handle, options);
    if (task['status'] !== 'input_required') return outcome(session, task);
    const { handlers, signal } = options;
    const inputResponses = await session.answerInputs(task['inputRequests'], handlers, signal);
    await session.request('tasks/update', { taskId, inputResponses }, options);
  }
  const { server } = session;
  throw serverFailure('protocol_error', server, `${server} asked for input without end.`);
}

/** Polls while the task works. A task that shows no sign of life for the call's limit is over. */
async function follow(
  session: Session,
  taskId: string,
  first: Readonly<Record<string, unknown>>,
  options: TaskOptions,
): Promise<JsonObject> {
  const { clock, limits } = options;
  const lastMoment = clock.monotonic() + limits.callTotalTimeoutMs;
  // JSON came in, so an object is a JsonObject.
  let task = first as JsonObject;
  let signs = signsOfLife(task);
  let deadline = clock.monotonic() + options.timeoutMs;
  return withCancel(session, taskId, options, async () => {
    for (let polls = 0; polls === 0 || task['status'] === 'working'; polls += 1) {
      if (clock.monotonic() > Math.min(deadline, lastMoment)) {
        throw timeoutError(session.server, 'tools/call (as a task)', options.timeoutMs);
      }
      await clock.sleep(pollMs(task, limits), options.signal);
      // Polling gets no time of its own beyond the call's limit.
      const leftMs = Math.max(limits.taskPollMinMs, Math.min(deadline, lastMoment) - clock.monotonic());
      task = await session.request('tasks/get', { taskId }, { ...options, timeoutMs: leftMs });
      if (signsOfLife(task) === signs) continue;
      signs = signsOfLife(task);
      deadline = clock.monotonic() + options.timeoutMs;
      const message = task['statusMessage'];
      const note = typeof message === 'string' ? { message: serverNote(session.server, message) } : {};
      options.onProgress?.({ progress: polls, ...note });
    }
    return task;
  });
}

async function withCancel<T>(
  session: Session,
  taskId: string,
  options: TaskOptions,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const cancel = session.request('tasks/cancel', { taskId }, { timeoutMs: options.limits.healthTimeoutMs });
    ignore(cancel, 'the task is abandoned either way');
    if (options.signal?.aborted) throw cancelledError(session.server, 'tools/call');
    throw error;
  }
}

function outcome(session: Session, task: JsonObject): JsonObject {
  const { status, result, error } = task;
  if (status === 'completed' && isObject(result)) return result;
  if (status === 'failed' && isObject(error)) throw rpcError(session.server, error);
  if (status === 'cancelled') throw cancelledError(session.server, 'tools/call');
  const message = `${session.server} ended a task as ${JSON.stringify(status)} without an outcome.`;
  throw serverFailure('protocol_error', session.server, message);
}

function taskIdOf({ server }: Session, task: Readonly<Record<string, unknown>>): string {
  if (typeof task['taskId'] === 'string') return task['taskId'];
  throw serverFailure('protocol_error', server, `${server} started a task without an id.`);
}

function signsOfLife(task: JsonObject): string {
  return JSON.stringify([task['status'], task['statusMessage'], task['lastUpdatedAt']]);
}

function pollMs(task: JsonObject, limits: Limits): number {
  const wanted = plainNumber(task['pollIntervalMs'] ?? task['pollInterval']);
  const ms = typeof wanted === 'number' ? wanted : limits.taskPollMs;
  return Math.min(Math.max(ms, limits.taskPollMinMs), limits.taskPollMaxMs);
}
