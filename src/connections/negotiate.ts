import type { Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import { shakeHands } from './handshake.ts';
import { declareOwn, EVERYTHING } from './host-answers.ts';
import { inboundFor } from './inbound.ts';
import { InFlight } from './in-flight.ts';
import type { Bounds } from './limits.ts';
import type { Era } from './manifest.ts';
import type { OpenArguments } from './open-session.ts';
import { Peer, type PeerOptions } from './peer.ts';
import { Session } from './session.ts';
import { longestStartMs } from './start-slots.ts';
import type { Verdict } from './store.ts';

export interface NegotiateOptions extends Bounds, Pick<PeerOptions, 'endError' | 'farewell' | 'lostCall'> {
  readonly args: OpenArguments;
  readonly transport: Transport;
  readonly kind: Verdict['transport'];
  readonly account?: string | undefined;
  readonly prior: Era | undefined;
}

/** Starts a transport and agrees with the server on an era. On failure the transport is closed. */
export async function negotiate(options: NegotiateOptions): Promise<Session> {
  const { args, transport, kind, account, clock, limits, endError, lostCall, farewell, prior } = options;
  const server = args.server.definition.id;
  const { events, handlers, clientInfo, signal, host, onFrame } = args;
  const common = { server, clientInfo, clock, limits };
  const inFlight = new InFlight();
  const inbound = inboundFor({ server, handlers, events, inFlight, host, local: kind === 'stdio' });
  const onEnd = (): void => events.onEnd(endError());
  const peer = new Peer({
    transport,
    clock,
    server,
    endError,
    onEnd,
    lostCall,
    farewell,
    onFrame,
    ...inbound,
  });
  const abandon = (): void => ignore(peer.close(), 'the start was given up');
  signal.addEventListener('abort', abandon, { once: true });
  try {
    signal.throwIfAborted();
    await transport.start();
    const agreement = await shakeHands(peer, {
      ...common,
      // One list of tools is shown to all: a shared connection is told of everything that some host can do.
      clientCapabilities: host
        ? declareOwn(handlers, host.cwd !== undefined && kind === 'stdio')
        : EVERYTHING,
      prior,
      pipe: kind === 'stdio' || kind === 'ws',
      timeoutMs:
        longestStartMs(args.startTimeoutMs, limits) + (kind === 'stdio' ? limits.browserSignInMs : 0),
    });
    transport.setProtocolVersion?.(agreement.protocolVersion);
    if (agreement.era === 'legacy') await peer.notify('notifications/initialized');
    return new Session({ ...common, peer, agreement, transport: kind, account, handlers, inFlight, events });
  } catch (error) {
    await peer.close();
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/** The era of last time, unless it is too old: legacy servers get updated. */
export function priorEra(verdict: Verdict | undefined, { clock, limits }: Bounds): Era | undefined {
  if (verdict?.era !== 'legacy') return undefined;
  return clock.now() - verdict.decidedAt < limits.eraLegacyTtlMs ? 'legacy' : undefined;
}

export async function rememberVerdict(
  session: Session,
  before: Verdict | undefined,
  args: OpenArguments,
  clock: Clock,
): Promise<void> {
  const { transport } = session;
  const { era } = session.agreement;
  const { key, fingerprint } = args.server;
  if (args.era !== undefined && before) {
    const alsoLegacy = era === 'legacy';
    if (before.alsoLegacy !== alsoLegacy) await args.remember({ ...before, alsoLegacy });
    return;
  }
  const same = before?.era === era && before.transport === transport && before.fingerprint === fingerprint;
  // A legacy verdict keeps its first date, so that it expires although the server is used daily.
  if (same) return;
  const usesHost = before?.usesHost ?? false;
  await args.remember({ server: key, fingerprint, era, transport, usesHost, decidedAt: clock.now() });
}
