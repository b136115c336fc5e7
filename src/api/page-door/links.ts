import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { doorLimits } from './limits.ts';
import type { PageLink } from '../page-operations.ts';

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

  linkTo(url: string): PageLink {
    const token = randomBytes(32).toString('base64url');
    const expiresAt = this.#clock.now() + doorLimits.linkMs;
    this.#links = [...this.#alive(), { digest: digestOf(token), expiresAt }].slice(-doorLimits.linksMax);
    return { url: `${url}/#open=${token}`, expiresAt };
  }

  /** Whether it opens the page. It does not do so again. */
  take(token: string): boolean {
    const given = digestOf(token);
    const alive = this.#alive();
    // Every link is compared, in constant time, whichever fits.
    const others = alive.filter(({ digest }) => !timingSafeEqual(digest, given));
    this.#links = others;
    return others.length < alive.length;
  }

  #alive(): readonly Link[] {
    const now = this.#clock.now();
    return this.#links.filter(({ expiresAt }) => expiresAt > now);
  }
}

interface Link {
  readonly digest: Buffer;
  readonly expiresAt: number;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
