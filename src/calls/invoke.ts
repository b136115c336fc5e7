import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Risk } from '../catalog/risk.ts';
import { paramHeaders } from '../connections/http/param-headers.ts';
import type { Pool } from '../connections/pool.ts';
import type { Session, SessionRequestOptions } from '../connections/session.ts';
import { callAsTask, finishTask, needsTask } from '../connections/tasks.ts';
import type { CallPermit } from '../policy/permit.ts';
import { borrowSession } from './borrow-session.ts';
import type { KnownTools } from './known-tools.ts';
import type { PermissionRequest, Permissions } from './permission.ts';

export interface Invocation extends PermissionRequest {
  readonly permit: CallPermit;
  /** The same object that was decided on. */
  readonly args: JsonObject;
}

export interface InvokeOptions {
  readonly pool: Pool;
  readonly known: KnownTools;
  readonly permissions: Permissions;
  readonly clock: Clock;
  readonly limits: Limits;
}

export async function invoke(invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  const { server, call } = invocation;
  const { pool } = options;
  const first = await borrowSession(pool, server, call, (session) => begin(session, invocation, options));
  if (first['resultType'] !== 'task' || call.passTask) return first;
  const task = { ...options, ...requestOptions(invocation, options, undefined) };
  return borrowSession(pool, server, call, (session) => finishTask(session, first, task));
}

/**
 * Begun only with a session at hand: nothing unsendable is recorded as begun. A promise that is returned
 * from `then` would take three turns of the queue where the one that is awaited takes one.
 */
async function begin(session: Session, invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  const begun = invocation.running.begin();
  if (begun) await begun;
  return await ask(session, invocation, options);
}

function ask(session: Session, invocation: Invocation, options: InvokeOptions): Promise<JsonObject> {
  assertSame(invocation, options);
  const { permit, entry, args, call } = invocation;
  const { tool } = entry;
  const { name } = tool;
  const plain = call.fields ? { ...call.fields, name, arguments: args } : { name, arguments: args };
  const params: JsonObject = call.meta ? { ...plain, _meta: call.meta } : plain;
  const headers =
    session.modern && session.transport === 'streamable-http'
      ? paramHeaders(tool.definition['inputSchema'], args)
      : undefined;
  const request = requestOptions(invocation, options, headers);
  // A modern server decides by itself what becomes a task.
  if (call.task && !session.modern) return session.callTool(permit, { ...params, task: call.task }, request);
  if (needsTask(session, tool.definition))
    return callAsTask(session, permit, params, { ...options, ...request });
  return session.callTool(permit, params, request);
}

/** The manifest is re-read when a server wakes: the tool must still be the one decided on. */
function assertSame(invocation: Invocation, { known, permissions }: InvokeOptions): void {
  const { call, server, entry } = invocation;
  const { ref, name } = entry.tool;
  if (known.find(server, name, call.profile).hash !== entry.hash) {
    const { id } = server.definition;
    const message = `${ref} changed after the decision, so it wasn’t called.`;
    const remedy = { do: 'review-tools', server: id } as const;
    throw new PlugError('denied', message, { owner: 'server', server: id, remedy });
  }
  permissions.checkBar(invocation);
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

/** After a lost connection the server may have done its work: only reads are retried. */
export function mayRetry(failed: {
  readonly risk: Risk;
  readonly error: PlugError;
  readonly attempt: number;
}): boolean {
  const { code, details } = failed.error;
  // How a server reports a forgotten session (spec 2025-11-25, session management).
  const isForgotten = code === 'protocol_error' && details?.['httpStatus'] === 404;
  const isLost = code === 'crashed' || code === 'unreachable' || isForgotten;
  return failed.risk === 'read' && failed.attempt < RETRIES_MAX && isLost;
}

const RETRIES_MAX = 1;
