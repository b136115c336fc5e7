import type { Cancel } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Approval, CallOptions, CallRequest, CallResult, LogEntry } from '../hub/hub.ts';
import type { Approver } from './approver.ts';
import type { Endpoint } from './endpoint.ts';
import { failedCall } from './errors.ts';
import type { HostCall } from './host-call.ts';
import { mapArguments, mapUris } from './map-uris.ts';
import { RpcError, rpcCodes } from './rpc.ts';
import type { MakeCall, MakeCallOptions } from './surface.ts';
import { withHandle } from './surfaces/read-result.ts';
import { shownTask } from './task-ids.ts';
import type { Uris } from './uris.ts';

/** Answers `tools/call`: whatever the surface makes of it, every call takes the hub's one path. */
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
    // What we ended ourselves says why; the hub only knows that it was ended.
    const { reason } = call.signal;
    return failedCall(call.signal.aborted && reason instanceof PlugError ? reason : error);
  }
}

function makeCall(endpoint: Endpoint, params: JsonObject, call: HostCall, approver: Approver): MakeCall {
  const { hub, scope, uris, only } = endpoint;
  const { task } = params;
  const make = async (tool: string, args: JsonObject, own: MakeCallOptions = {}): Promise<JsonObject> => {
    const request: CallRequest = {
      tool,
      args: only === undefined ? ownAddresses(endpoint, tool, args) : args,
      ...(scope.profile === undefined ? {} : { profile: scope.profile }),
      ...(call.host === undefined ? {} : { host: call.host }),
      ...(call.meta ? { meta: call.meta } : {}),
      ...(call.followsTasks ? { passTask: true } : {}),
      ...(call.era === 'legacy' && isObject(task) ? { task } : {}),
      approval: 'wait',
      // One server is passed through; from many, a large result leaves a preview.
      whole: own.whole ?? only !== undefined,
    };
    let stopAsking: Cancel | undefined;
    const onApproval = (approval: Approval): void => {
      stopAsking = approver.ask(approval, call);
    };
    const options = callOptions(call);
    const signal = own.signal ? AbortSignal.any([call.signal, own.signal]) : call.signal;
    try {
      const answer = await hub.tools.call(request, { ...options, signal, onApproval });
      return only === undefined ? shown(answer, uris) : answer.result;
    } finally {
      stopAsking?.();
    }
  };
  const note = (message: string): void => approver.note(call, message);
  return Object.assign(make, { signal: call.signal, note });
}

function shown({ server, result, handle }: CallResult, uris: Uris): JsonObject {
  const mapped = shownTask(
    server,
    mapUris(result, (uri) => uris.out(server, uri)),
  );
  return handle ? withHandle(mapped, handle.id) : mapped;
}

/** The same for everything that a host asks of a server. */
export function callOptions(call: HostCall): CallOptions {
  const { signal, progressToken, logLevel, handlers } = call;
  return {
    signal,
    handlers,
    ...(progressToken === undefined
      ? {}
      : { onProgress: (note) => call.notify('notifications/progress', { ...note, progressToken }) }),
    ...(call.wantsLogs
      ? {
          onLog: (entry: LogEntry) => call.notify('notifications/message', { ...entry }),
          ...(logLevel === undefined ? {} : { logLevel }),
        }
      : {}),
  };
}

/** A model may hand an address that we showed it back to the server that it belongs to. */
function ownAddresses({ uris }: Endpoint, tool: string, args: JsonObject): JsonObject {
  return mapArguments(args, (text) => {
    const found = text.includes('://') ? uris.back(text) : undefined;
    return found && tool.startsWith(`${found.server}/`) ? found.uri : undefined;
  });
}
