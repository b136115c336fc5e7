import type { Clock } from '../base/clock.ts';
import type { HostTokens, KnownHost } from '../policy/host-tokens.ts';
import { Refusal } from './answer.ts';
import { BadTokens } from './bad-tokens.ts';
import {
  checkHost,
  checkOrigin,
  refuseAnyOrigin,
  ShownTokens,
  tokenIn,
  type Knock,
  type Via,
} from './guard.ts';

export interface HostGuardOptions {
  readonly port: () => number | undefined;
  /** The hosts' own tokens; without them nobody comes in on the port. */
  readonly hosts: Pick<HostTokens, 'find' | 'used'> | undefined;
  /** The token of the hub itself, which opens everything but the gateway. */
  readonly isToken: (given: string) => boolean;
  readonly clock: Clock;
}

/**
 * Answers which host knocks at the gateway, undefined for a bridge on the socket, which is the user's
 * own; or throws a Refusal. No session of a page and no token of the hub opens this door.
 */
export type HostGuard = (knock: Knock, via: Via) => KnownHost | undefined;

export function createHostGuard(options: HostGuardOptions): HostGuard {
  const { hosts, isToken } = options;
  const bad = new BadTokens(options.clock);
  const shown = new ShownTokens<KnownHost>(
    (token) => hosts?.find(token),
    ({ isRevoked }) => !isRevoked,
  );
  return (knock, via) => {
    if (via === 'socket') {
      refuseAnyOrigin(knock);
      return undefined;
    }
    checkHost(knock, options.port());
    checkOrigin(knock);
    const host = shown.find(knock);
    if (host) {
      hosts?.used(host);
      return host;
    }
    const sent = knock.header('authorization');
    const given = sent === undefined ? undefined : tokenIn(sent);
    throw given !== undefined && isToken(given) ? hubToken() : bad.refuse(needsToken());
  };
}

const CHALLENGE = { 'www-authenticate': 'Bearer realm="plugboard gateway"' };

function needsToken(): Refusal {
  return new Refusal(401, 'denied', 'The gateway needs the token of a host.', {
    remedy: { do: 'add-host' },
    headers: CHALLENGE,
  });
}

/** Whoever holds it may know what it is; as a token of a host it is worth nothing. */
function hubToken(): Refusal {
  return new Refusal(401, 'denied', 'This is the token of the hub itself, which does not open the gateway.', {
    remedy: { do: 'add-host' },
    headers: CHALLENGE,
  });
}
