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
  /** Without them no host comes in on the port. */
  readonly hosts: Pick<HostTokens, 'find' | 'used'> | undefined;
  /** The hub's own token, which opens everything but the gateway. */
  readonly isToken: (given: string) => boolean;
  readonly clock: Clock;
}

/** Undefined for a bridge on the socket. No page session and no hub token gets in here. */
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
    if (host?.opens === 'api') throw refused('This token opens the API of the hub, not the gateway.');
    if (host) {
      hosts?.used(host);
      return host;
    }
    const sent = knock.header('authorization');
    const given = sent === undefined ? undefined : tokenIn(sent);
    // The holder of the hub's token may be told what it is.
    if (given !== undefined && isToken(given)) {
      throw refused('This is the hub’s own token, which isn’t valid for the gateway.');
    }
    throw bad.refuse(refused('The gateway needs the token of a host.'));
  };
}

function refused(message: string): Refusal {
  const headers = { 'www-authenticate': 'Bearer realm="plugboard gateway"' };
  return new Refusal(401, 'denied', message, { remedy: { do: 'add-host' }, headers });
}
