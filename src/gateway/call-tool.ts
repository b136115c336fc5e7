import type { Cancel } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { CallOptions, CallRequest, CallResult, LogEntry } from '../hub/hub.ts';
import type { Approver } from './approver.ts';
import type { Endpoint } from './endpoint.ts';
import { failedCall } from './errors.ts';
import type { HostCall } from './host-call.ts';
import { mapArguments, mapUris, type Uris } from './uris.ts';
import { RpcError, rpcCodes } from './rpc.ts';
import type { MakeCall } from './surface.ts';
import { withHandle } from './surfaces/read-result.ts';
import { hostRequestKind } from '../connections/host-answers.ts';
import { presentInputs } from '../connections/present-question.ts';
import { serverNote, serverSays, wordsOnLine } from '../connections/server-words.ts';

/** Every call takes the hub's one path, whatever the surface. */
export async function callTool(
  endpoint: Endpoint,
  params: JsonObject,
  call: HostCall,
  approver: Approver,
): Promise<JsonObject> {
  const { name, arguments: given } = params;
  if (typeof name !== 'string') throw new RpcError(rpcCodes.invalidParams, 'A call must name its tool.');
  if (given !== undefined && !isObject(given)) {
    throw new RpcError(rpcCodes.invalidParams, 'The arguments of a call must be an object.');
  }
  try {
    return await endpoint.surface.call(name, given ?? {}, makeCall(endpoint, params, call, approver));
  } catch (error) {
    // If we aborted it, our reason is more precise than the hub's.
    const { reason } = call.signal;
    return failedCall(call.signal.aborted && reason instanceof PlugError ? reason : error);
  }
}

function makeCall(endpoint: Endpoint, params: JsonObject, call: HostCall, approver: Approver): MakeCall {
  const { hub, uris, only, scope } = endpoint;
  const { host, meta, followsTasks, era } = call;
  const { task } = params;
  return {
    signal: call.signal,
    note: (message) => approver.note(call, message),
    call: async (tool, args, own) => {
      let stopAsking: Cancel | undefined;
      const options = callOptions(call);
      options.onApproval = (approval) => {
        stopAsking = approver.ask(approval, call);
      };
      if (own?.signal) options.signal = AbortSignal.any([call.signal, own.signal]);
      // Fields are set one by one: every call comes through here.
      const request: Writable<CallRequest> = {
        tool,
        args: only === undefined ? ownAddresses(endpoint, tool, args) : args,
        approval: 'wait',
        // One server is passed through; with many, a large result becomes a preview.
        whole: own?.whole ?? only !== undefined,
      };
      if (scope.profile !== undefined) request.profile = scope.profile;
      if (scope.readOnly) request.readOnly = true;
      if (host !== undefined) request.host = host;
      if (meta) request.meta = meta;
      if (followsTasks) request.passTask = true;
      if (era === 'legacy' && isObject(task)) request.task = task;
      try {
        const answer = await hub.tools.call(request, options);
        return taskWords(answer.server, only === undefined ? shown(answer, uris) : answer.result);
      } finally {
        stopAsking?.();
      }
    },
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function shown({ server, result, handle }: CallResult, uris: Uris): JsonObject {
  const mapped = mapUris(result, (uri) => uris.out(server, uri));
  const named = shownTask(server, mapped);
  return handle ? withHandle(named, handle.id) : named;
}

export function callOptions(call: HostCall): Writable<CallOptions> {
  const { signal, progressToken, logLevel, handlers } = call;
  const options: Writable<CallOptions> = { signal, handlers };
  if (progressToken !== undefined) {
    options.onProgress = (note) => call.notify('notifications/progress', { ...note, progressToken });
  }
  if (!call.wantsLogs) return options;
  options.onLog = (entry) => call.notify('notifications/message', serverLog(entry));
  if (logLevel !== undefined) options.logLevel = logLevel;
  return options;
}

/** A model may pass an address we showed it back to its server. */
function ownAddresses({ uris }: Endpoint, tool: string, args: JsonObject): JsonObject {
  return mapArguments(args, (text) => {
    const found = text.includes('://') ? uris.back(text) : undefined;
    return found && tool.startsWith(`${found.server}/`) ? found.uri : undefined;
  });
}

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

/** Hosts show these beside ours, so logger and text both name the server. */
export function serverLog({ server, level, logger, data }: LogEntry): JsonObject {
  return {
    level,
    logger: logger === undefined ? server : `${server}/${wordsOnLine(logger)}`,
    data: typeof data === 'string' ? serverSays(server, data) : data,
  };
}
