import type { Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import type { Endpoint } from '../servers/definition.ts';
import { createHttpClient, type HttpClient } from './http/http-client.ts';
import { openHttpTransport } from './http/open-http.ts';
import { lostCall, StreamableTransport } from './http/streamable-transport.ts';
import { wantsSse } from './http/wants-sse.ts';
import { negotiate, priorEra, rememberVerdict } from './negotiate.ts';
import { withOwnKey } from './own-key.ts';
import type { OpenArguments, OpenedSession, OpenerOptions } from './open-session.ts';
import type { Session } from './session.ts';
import type { Verdict } from './store.ts';

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
    // A header of the user's own is their way in: no sign-in is put beside it.
    const own = Object.keys(endpoint.headers).some((name) => name.toLowerCase() === 'authorization');
    const fetch = own
      ? withOwnKey(client.fetch, args.server.definition)
      : await options.signedIn(args.server.definition, endpoint.url, client.fetch, args.account);
    const session = await reach(endpoint, { ...client, fetch }, verdict, args, options);
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
  client: HttpClient,
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
    next: `plug restart ${server}`,
  });
}
