import { type Transport, SdkHttpError } from '@modelcontextprotocol/client';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import type { Endpoint } from '../servers/definition.ts';
import { createHttpClient, type HttpClient } from './http/http-client.ts';
import { openHttpTransport } from './http/open-http.ts';
import { lostCall, StreamableTransport } from './http/streamable-transport.ts';
import { negotiate, priorEra, rememberVerdict } from './negotiate.ts';
import { takesAccount, withOwnKey } from './own-key.ts';
import type { OpenArguments, OpenedSession, OpenerOptions } from './open-session.ts';
import type { Session } from './session.ts';
import type { Verdict } from './store.ts';
import { isObject } from '../base/json.ts';

type RemoteEndpoint = Exclude<Endpoint, { kind: 'stdio' }>;
type RemoteKind = Exclude<Verdict['transport'], 'stdio'>;

/** Reaches a remote server: Streamable HTTP first, SSE when the server says so, or as remembered. */
export async function openRemote(
  endpoint: RemoteEndpoint,
  args: OpenArguments,
  options: OpenerOptions,
): Promise<OpenedSession> {
  const verdict = await args.verdict();
  const { clock, ids, limits, env } = options;
  // The limits of calls are kept by the peer; the socket must not give up before them.
  const callMs = Math.max(limits.callTotalTimeoutMs, limits.httpHeadersMs);
  const patient = { ...limits, httpHeadersMs: callMs, httpBodyIdleMs: callMs, httpBodyTotalMs: callMs };
  const client = createHttpClient({
    clock,
    ids,
    limits: patient,
    env,
    onRateLimited: ({ waitMs }) => args.onBusy(waitMs),
  });
  try {
    const { fetch, account } = takesAccount(endpoint)
      ? await options.signedIn(args.server.definition, endpoint.url, client.fetch, args.account)
      : { fetch: withOwnKey(client.fetch, args.server.definition), account: undefined };
    const link = { client: { ...client, fetch }, account };
    const session = await reach(endpoint, link, verdict, args, options);
    await rememberVerdict(session, verdict, args, clock);
    const endError = (): PlugError => linkEnded(args.server.definition.id);
    return { session, endError, close: () => closeRemote(session, client) };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function reach(
  endpoint: RemoteEndpoint,
  { client, account }: { readonly client: HttpClient; readonly account: string | undefined },
  verdict: Verdict | undefined,
  args: OpenArguments,
  options: OpenerOptions,
): Promise<Session> {
  const { clock, ids, limits } = options;
  const attempt = (kind: RemoteKind, prior = priorEra(verdict, clock, limits)): Promise<Session> => {
    const { url, headers } = endpoint;
    const transport = openHttpTransport({ kind, url, headers, client, clock, ids });
    const endError = (): PlugError => linkEnded(args.server.definition.id);
    // Only old servers speak the old transport, so there is nothing to negotiate on it.
    return negotiate({
      args,
      transport,
      kind,
      account,
      prior: kind === 'sse' ? 'legacy' : prior,
      endError,
      lostCall,
      farewell: () => endSession(transport, clock, limits),
      clock,
      limits,
    });
  };
  if (endpoint.kind === 'ws') return attempt('ws');
  if (endpoint.kind === 'sse') return attempt('sse');
  if (verdict?.transport === 'sse' && priorEra(verdict, clock, limits)) {
    return attempt('sse').catch((error: unknown) => {
      // The server may have moved on to Streamable HTTP; anything else is a real failure.
      if (args.signal.aborted || !isHttpAnswer(error)) throw error;
      return attempt('streamable-http', undefined);
    });
  }
  try {
    return await attempt('streamable-http');
  } catch (error) {
    if (args.signal.aborted || !wantsSse(error)) throw error;
    return attempt('sse');
  }
}

/** Old servers keep a session until they are told that it is over; some never listen. */
async function endSession(transport: Transport, clock: Clock, limits: Limits): Promise<void> {
  if (!(transport instanceof StreamableTransport) || transport.sessionId === undefined) return;
  const enough = new AbortController();
  const told = transport.terminateSession().finally(() => enough.abort());
  await Promise.allSettled([Promise.race([told, clock.sleep(limits.stopEofMs, enough.signal)])]);
}

function isHttpAnswer(error: unknown): boolean {
  return error instanceof PlugError && error.details?.['httpStatus'] !== undefined;
}

async function closeRemote(session: Session, client: HttpClient): Promise<void> {
  try {
    await session.close();
  } finally {
    await client.close();
  }
}

function linkEnded(server: string): PlugError {
  return new PlugError('unreachable', `The connection to ${server} ended.`, {
    owner: 'network',
    server,
    remedy: { do: 'restart', server },
  });
}

/**
 * Whether a failed Streamable HTTP handshake looks like a server of the older HTTP+SSE transport
 * (MCP 2025-11-25, transports, “Backwards Compatibility”). Such a server has no use for a POST
 * at this address and says so with one of a few statuses. Whoever asks for sign-in, breaks down,
 * is not there, or argues about the request itself in JSON-RPC, is not of that kind.
 */
export function wantsSse(error: unknown): boolean {
  const http = httpErrorIn(error);
  if (http === undefined) return false;
  return POST_UNWANTED.has(http.status) || (POST_UNKNOWN.has(http.status) && !speaksJsonRpc(http));
}

/** Said in whatever words, these mean that a POST with JSON has no place here. */
const POST_UNWANTED = new Set([405, 406, 415]);
/** These may also come from an MCP endpoint that disliked the content; its words tell. */
const POST_UNKNOWN = new Set([400, 404]);

/** The SDK wraps what went wrong during version negotiation. */
function httpErrorIn(error: unknown): SdkHttpError | undefined {
  let inner = error;
  for (let depth = 0; depth < 4 && inner instanceof Error; depth += 1) {
    if (inner instanceof SdkHttpError) return inner;
    inner = inner.cause;
  }
  return undefined;
}

function speaksJsonRpc(error: SdkHttpError): boolean {
  const { text } = error.data;
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return false;
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && body['jsonrpc'] === '2.0';
  } catch {
    return false;
  }
}
