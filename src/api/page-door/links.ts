import { hash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { doorLimits } from './limits.ts';
import type { PageLink } from '../listener-operations.ts';
import { secretBytes } from '../../base/ids.ts';

/**
 * Links that open the page. The token is in the fragment: browsers send that to nobody, so that it is
 * in no log and no Referer. It is good once, for a moment, and never written down here.
 */
export class PageLinks {
  readonly #clock: Clock;
  #links: readonly Link[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `onUsed` hears when it has opened the page. */
  linkTo(url: string, onUsed?: () => void): PageLink {
    const token = secretBytes(32).toString('base64url');
    const digest = digestOf(token);
    // Setting the machine's clock back must not make it live longer.
    const endsAt = this.#clock.monotonic() + doorLimits.linkMs;
    this.#links = [...this.#alive(), { digest, endsAt, onUsed }].slice(-doorLimits.linksMax);
    return { url: `${url}/#open=${token}`, expiresAt: this.#clock.now() + doorLimits.linkMs };
  }

  /** Whether it would open the page. */
  has(token: string): boolean {
    return this.#find(token) !== undefined;
  }

  /** Whether it opens the page. It does not do so again. */
  take(token: string): boolean {
    const taken = this.#find(token);
    if (!taken) return false;
    this.#links = this.#links.filter((link) => link !== taken);
    taken.onUsed?.();
    return true;
  }

  #find(token: string): Link | undefined {
    const given = digestOf(token);
    // Every link is compared, in constant time, whichever fits.
    let found: Link | undefined;
    for (const link of this.#alive()) if (timingSafeEqual(link.digest, given)) found = link;
    return found;
  }

  #alive(): readonly Link[] {
    const now = this.#clock.monotonic();
    return this.#links.filter(({ endsAt }) => endsAt > now);
  }
}

interface Link {
  readonly digest: Buffer;
  /** By the monotonic clock. */
  readonly endsAt: number;
  readonly onUsed: (() => void) | undefined;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
