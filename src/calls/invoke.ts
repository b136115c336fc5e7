import type { Clock } from '../base/clock.ts';
import { type ErrorCode, PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { CatalogTool } from '../catalog/catalog.ts';
import type { Risk } from '../catalog/risk.ts';
import { paramHeaders } from '../connections/http/param-headers.ts';
import type { Pool, PooledServer } from '../connections/pool.ts';
import type { Session, SessionRequestOptions } from '../connections/session.ts';
import { callAsTask, finishTask, needsTask } from '../connections/tasks.ts';
import type { CallPermit } from '../policy/permit.ts';
import { borrowSession } from './borrow-session.ts';
import type { KnownTools } from './known-tools.ts';
import type { Permissions } from './permission.ts';
import type { RunningCall } from './running-call.ts';
import type { ToolCall } from './tool-call.ts';

export interface Invocation {
  readonly permit: CallPermit;
  readonly server: PooledServer;
  /** The tool that was decided on. */
  readonly entry: CatalogTool;
  /** The very object that was decided on. */
  readonly args: JsonObject;
  readonly call: ToolCall;
  /** Its beginning is written down before anything is sent. */
  readonly running: RunningCall;
}

export interface InvokeOptions {
  readonly pool: Pool;
  readonly known: KnownTools;
  readonly permissions: Permissions;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** Connects if need be, calls, and follows a task to its end. */
export function invoke(invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  const { server, call } = invocation;
  const { pool } = options;
  const asking = borrowSession(pool, server, call, (session) => begin(session, invocation, options));
  return asking.then((first) => {
    if (first['resultType'] !== 'task' || call.passTask) return first;
    // A modern server may answer with the handle of a task.
    const task = { ...options, ...requestOptions(invocation, options, undefined) };
    return borrowSession(pool, server, call, (session) => finishTask(session, first, task));
  });
}

/** With the session at hand, so that nothing stands on record as begun that could not even be sent. */
function begin(session: Session, invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  const begun = invocation.running.begin();
  return begun ? begun.then(() => ask(session, invocation, options)) : ask(session, invocation, options);
}

function ask(session: Session, invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  assertSame(invocation, options);
  const { permit, entry, args, call } = invocation;
  const { tool } = entry;
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

/** The manifest is read when a server wakes: what was decided on must still be what is there. */
function assertSame({ call, server, entry }: Invocation, { known, permissions }: InvokeOptions): void {
  const { ref, name } = entry.tool;
  if (known.find(server, name, call.profile).hash !== entry.hash) throw changed(ref, server.definition.id);
  permissions.checkBar({ call, server, entry });
}

function changed(ref: string, server: string): PlugError {
  return new PlugError('denied', `${ref} is not what was decided on any more: its definition changed.`, {
    owner: 'server',
    server,
    remedy: { do: 'review-tools', server },
  });
}

function requestOptions(
  { server: { definition }, entry: { tool }, call }: Invocation,
  { limits }: InvokeOptions,
  headers: Readonly<Record<string, string>> | undefined,
): SessionRequestOptions {
  const { timeouts } = definition;
  const own =
    timeouts.toolMs && Object.hasOwn(timeouts.toolMs, tool.name) ? timeouts.toolMs[tool.name] : undefined;
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

/**
 * Whether a call that failed is made once more. When a connection is lost nobody knows whether the
 * server had done its work already, so that only what changes nothing may be tried again.
 */
export function mayRetry(failed: {
  readonly risk: Risk;
  readonly error: PlugError;
  /** 0 for the first. */
  readonly attempt: number;
}): boolean {
  return failed.risk === 'read' && failed.attempt < RETRIES_MAX && isLost(failed.error);
}

const RETRIES_MAX = 1;

/** The connection or the session broke; the server itself has refused nothing. */
function isLost({ code, details }: PlugError): boolean {
  if (LOST.has(code)) return true;
  // A server that has forgotten a session answers so (spec 2025-11-25, session management).
  return code === 'protocol_error' && details?.['httpStatus'] === 404;
}

const LOST: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['crashed', 'unreachable']);
