import type { Clock } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Tool } from '../catalog/tool.ts';
import { paramHeaders } from '../connections/http/param-headers.ts';
import type { Pool, PooledServer } from '../connections/pool.ts';
import type { Session, SessionRequestOptions } from '../connections/session.ts';
import { callAsTask, finishTask, needsTask } from '../connections/tasks.ts';
import type { CallPermit } from '../policy/permit.ts';
import type { ToolCall } from './tool-call.ts';

export interface Invocation {
  readonly permit: CallPermit;
  readonly server: PooledServer;
  readonly tool: Tool;
  /** The very object that was decided on. */
  readonly args: JsonObject;
  readonly call: ToolCall;
  /** Throws when the tool is not the one that was decided on: the server may have changed as it woke. */
  readonly stillSame: () => void;
}

export interface InvokeOptions {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Connects if need be, calls, and follows a task to its end. */
export function invoke(invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  const { server, call } = invocation;
  const asking = options.pool.use(server.key, (session) => ask(session, invocation, options), call);
  return asking.then((first) => {
    if (first['resultType'] !== 'task' || call.passTask) return first;
    // A modern server may answer with the handle of a task.
    const task = { ...options, ...requestOptions(invocation, options, undefined) };
    return options.pool.use(server.key, (session) => finishTask(session, first, task), call);
  });
}

function ask(session: Session, invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  const { permit, tool, args, call, stillSame } = invocation;
  stillSame();
  const { name } = tool;
  const params: JsonObject = call.meta
    ? { name, arguments: args, _meta: call.meta }
    : { name, arguments: args };
  const headers =
    session.modern && session.transport === 'streamable-http'
      ? paramHeaders(tool.definition['inputSchema'], args)
      : undefined;
  const request = requestOptions(invocation, options, headers);
  if (call.task) return session.callTool(permit, { ...params, task: call.task }, request);
  if (needsTask(session, tool.definition))
    return callAsTask(session, permit, params, { ...options, ...request });
  return session.callTool(permit, params, request);
}

function requestOptions(
  { server: { definition }, tool: { name }, call }: Invocation,
  { limits }: InvokeOptions,
  headers: Readonly<Record<string, string>> | undefined,
): SessionRequestOptions {
  const { timeouts } = definition;
  const own = timeouts.toolMs && Object.hasOwn(timeouts.toolMs, name) ? timeouts.toolMs[name] : undefined;
  return {
    timeoutMs: call.timeoutMs ?? own ?? timeouts.callMs ?? limits.callTimeoutMs,
    signal: call.signal,
    onProgress: call.onProgress,
    headers,
    handlers: call.handlers ?? call.host?.handlers,
    host: call.host,
    onLog: call.onLog,
    logLevel: call.logLevel,
  };
}
