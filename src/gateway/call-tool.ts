import type { Cancel } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { CallOptions, CallRequest, CallResult, LogEntry } from '../hub/hub.ts';
import type { Approver } from './approver.ts';
import type { Endpoint } from './endpoint.ts';
import { failedCall } from './errors.ts';
import { unknownFields, type HostCall } from './host-call.ts';
import type { HostTasks } from './host-tasks.ts';
import { mapArguments, mapUris, type Uris } from './uris.ts';
import { idJson, RpcError, rpcCodes } from './rpc.ts';
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
  const { name, arguments: written } = params;
  if (typeof name !== 'string') throw new RpcError(rpcCodes.invalidParams, 'A call must name its tool.');
  // Some hosts write null for absent.
  const given = written ?? {};
  if (!isObject(given)) {
    throw new RpcError(rpcCodes.invalidParams, 'The arguments of a call must be an object.');
  }
  try {
    return await endpoint.surface.call(name, given, makeCall(endpoint, params, call, approver));
  } catch (error) {
    // If we aborted it, our reason is more precise than the hub's.
    const { reason } = call.signal;
    return failedCall(call.signal.aborted && reason instanceof PlugError ? reason : error);
  }
}

function makeCall(endpoint: Endpoint, params: JsonObject, call: HostCall, approver: Approver): MakeCall {
  const { hub, uris, only, scope } = endpoint;
  const { host, followsTasks, era, tasks } = call;
  const fields = unknownFields(params);
  const task = era === 'legacy' && isObject(params['task']) ? params['task'] : undefined;
  return {
    ...(host === undefined ? {} : { host }),
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
      if (own?.wholeStructured) request.wholeStructured = true;
      if (scope.profile !== undefined) request.profile = scope.profile;
      if (scope.readOnly) request.readOnly = true;
      if (host !== undefined) request.host = host;
      if (call.meta) request.meta = ownRelated(tasks, tool, call.meta);
      if (fields) request.fields = fields;
      // A script makes many calls: the answers are to none of them in particular.
      if (call.inputs && !own?.signal) request.fields = { ...fields, ...call.inputs };
      if (followsTasks) request.passTask = true;
      if (task) request.task = task;
      try {
        const answer = await hub.tools.call(request, options);
        const { server } = answer;
        const result = only === undefined ? shown(answer, uris) : answer.result;
        const begun = task !== undefined || (followsTasks && result['resultType'] === 'task');
        return taskWords(server, begun ? tasks.begin(server, result) : tasks.showRelated(server, result));
      } finally {
        stopAsking?.();
      }
    },
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function shown({ server, result, handle }: CallResult, uris: Uris): JsonObject {
  const mapped = mapUris(result, (uri) => uris.out(server, uri));
  return handle ? withHandle(mapped, handle.id) : mapped;
}

/** A request of the host may name the task that it belongs to. */
function ownRelated(tasks: HostTasks, tool: string, _meta: JsonObject): JsonObject {
  const { _meta: own } = tasks.related(tool.slice(0, tool.indexOf('/')), { _meta });
  return isObject(own) ? own : _meta;
}

export function callOptions(call: HostCall): Writable<CallOptions> {
  const { signal, progressToken, logLevel, handlers, inRounds } = call;
  const options: Writable<CallOptions> = { signal, handlers };
  if (progressToken !== undefined) {
    options.onProgress = (note) =>
      call.notify('notifications/progress', { ...note, progressToken: idJson(progressToken) });
  } else if (inRounds) {
    // A retry may bring a token.
    options.onProgress = (note) => call.notify('notifications/progress', { ...note });
  }
  if (!call.wantsLogs && !inRounds) return options;
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

/** Hosts show these beside ours, so logger and text both name the server. */
export function serverLog({ server, level, logger, data }: LogEntry): JsonObject {
  return {
    level,
    logger: logger === undefined ? server : `${server}/${wordsOnLine(logger)}`,
    data: typeof data === 'string' ? serverSays(server, data) : data,
  };
}
