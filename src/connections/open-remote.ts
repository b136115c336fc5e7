import { type Transport, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { PlugError } from '../base/errors.ts';
import type { Endpoint } from '../servers/definition.ts';
import { createHttpClient, type HttpClient, type RateLimited } from './http/http-client.ts';
import { openHttpTransport } from './http/open-http.ts';
import { lostCall, StreamableTransport } from './http/streamable-transport.ts';
import { httpStatusOf, sendError } from './failures.ts';
import type { Bounds } from './limits.ts';
import { negotiate, type NegotiateOptions, priorEra, rememberVerdict } from './negotiate.ts';
import { takesAccount, withOwnKey } from './own-key.ts';
import type { OpenedSession, OpenerOptions, ResolvedArguments } from './open-session.ts';
import type { Session } from './session.ts';
import type { Verdict } from './store.ts';
import { isObject } from '../base/json.ts';

type RemoteEndpoint = Exclude<Endpoint, { kind: 'stdio' }>;
type RemoteKind = Exclude<Verdict['transport'], 'stdio'>;

/** Reaches a remote server: as remembered, else as declared, else the other way if the server says so. */
export async function openRemote(
  endpoint: RemoteEndpoint,
  args: ResolvedArguments,
  options: OpenerOptions,
): Promise<OpenedSession> {
  const verdict = await args.verdict();
  const { clock, ids, limits, env, guard } = options;
  // The peer keeps the limits of calls; the socket must not give up before them.
  const callMs = Math.max(limits.callTotalTimeoutMs, limits.httpHeadersMs);
  const patient = { ...limits, httpHeadersMs: callMs, httpBodyIdleMs: callMs, httpBodyTotalMs: callMs };
  const onRateLimited = ({ waitMs }: RateLimited): void => args.onBusy(waitMs);
  const client = createHttpClient({ clock, ids, limits: patient, env, guard, onRateLimited });
  const { definition } = args.server;
  const endError = (): PlugError => linkEnded(definition.id);
  try {
    const { fetch, account } = takesAccount(endpoint)
      ? await options.signedIn(definition, endpoint.url, client.fetch, args.account)
      : { fetch: withOwnKey(client.fetch, definition), account: undefined };
    const as = args.keyAccount ?? account;
    const link = { client: { ...client, fetch }, account: as, verdict, args, endError };
    const session = await reach(endpoint, link, options);
    await rememberVerdict(session, verdict, args, clock);
    const close = async (): Promise<void> => {
      try {
        await session.close();
      } finally {
        await client.close();
      }
    };
    return { session, endError, close };
  } catch (error) {
    await client.close();
    throw error;
  }
}

interface Link extends Pick<NegotiateOptions, 'args' | 'account' | 'endError'> {
  readonly client: HttpClient;
  readonly verdict: Verdict | undefined;
}

async function reach(
  endpoint: RemoteEndpoint,
  { client, verdict, args, account, endError }: Link,
  { clock, ids, limits }: OpenerOptions,
): Promise<Session> {
  const bounds = { clock, limits };
  const known = args.era ?? priorEra(verdict, bounds);
  const attempt = (kind: RemoteKind, era = known): Promise<Session> => {
    const { url, headers } = endpoint;
    const transport = openHttpTransport({ kind, url, headers, client, clock, ids });
    // Only old servers speak the old transport, so there is nothing to negotiate on it.
    const prior = kind === 'sse' ? 'legacy' : era;
    const farewell = (): Promise<void> => endSession(transport, bounds);
    return negotiate({ args, transport, kind, account, prior, endError, lostCall, farewell, ...bounds });
  };
  if (endpoint.kind === 'ws') return attempt('ws');
  if (isSseFirst(endpoint, verdict, known)) {
    return attempt('sse').catch((error: unknown) => {
      const failure = sendError(error, { server: args.server.definition.id, method: 'GET' });
      if (args.signal.aborted || !lacksSse(error)) throw failure;
      return attempt('streamable-http', undefined).catch((other: unknown) => {
        // Neither is spoken here: the declared one is what the user can look at.
        throw wantsSse(other) ? failure : other;
      });
    });
  }
  try {
    return await attempt('streamable-http');
  } catch (error) {
    if (args.signal.aborted || !wantsSse(error)) throw error;
    return attempt('sse').catch((other: unknown) => {
      throw args.signal.aborted
        ? other
        : sendError(other, { server: args.server.definition.id, method: 'GET' });
    });
  }
}

/** What a definition declares is where we begin; what the server spoke last time counts more. */
function isSseFirst(
  endpoint: RemoteEndpoint,
  verdict: Verdict | undefined,
  known: Verdict['era'] | undefined,
): boolean {
  if (endpoint.kind === 'sse') return verdict?.transport !== 'streamable-http';
  return verdict?.transport === 'sse' && known !== undefined;
}

/** Old servers keep a session until they are told that it is over; some never listen. */
async function endSession(transport: Transport, { clock, limits }: Bounds): Promise<void> {
  if (!(transport instanceof StreamableTransport) || transport.sessionId === undefined) return;
  const enough = new AbortController();
  const told = transport.terminateSession().finally(() => enough.abort());
  await Promise.allSettled([Promise.race([told, clock.sleep(limits.stopEofMs, enough.signal)])]);
}

function linkEnded(server: string): PlugError {
  const remedy = { do: 'restart', server } as const;
  return new PlugError('unreachable', `The connection to ${server} ended.`, {
    owner: 'network',
    server,
    remedy,
  });
}

/**
 * Whether a failed Streamable HTTP handshake looks like the older HTTP+SSE transport (MCP 2025-11-25,
 * transports, “Backwards Compatibility”): it refuses a POST here with one of a few statuses, and
 * does not argue about the request itself in JSON-RPC.
 */
export function wantsSse(error: unknown): boolean {
  const http = httpErrorIn(error);
  if (http === undefined) return false;
  return POST_UNWANTED.has(http.status) || (POST_UNKNOWN.has(http.status) && !speaksJsonRpc(http));
}

/** A POST with JSON has no place here, whatever the body says. */
const POST_UNWANTED = new Set([405, 406, 415]);
/** These may also come from an MCP endpoint that disliked the content; its body tells. */
const POST_UNKNOWN = new Set([400, 404]);

/** Whether an address gave no HTTP+SSE stream, but something that may be Streamable HTTP. */
function lacksSse(error: unknown): boolean {
  if (error instanceof PlugError && error.details?.['endpointNamed'] === false) return true;
  const status = error instanceof SseError ? error.code : httpStatusOf(error);
  if (status === undefined) return false;
  // An answer that is no event stream has the status 200.
  return status === 200 || (status >= 400 && status < 500 && !ANSWERED_FOR_BOTH.has(status));
}

/** Sign-in and rate limits hold whatever is spoken. */
const ANSWERED_FOR_BOTH = new Set([401, 403, 429]);

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
