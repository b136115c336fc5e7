import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Approval } from '../../hub/hub.ts';
import { secretBytes } from '../../base/ids.ts';

interface Link {
  readonly keyHash: Buffer;
  /** By the monotonic clock: the question waits so long too, wherever the machine's clock jumps. */
  readonly endsAt: number;
}

export interface ApprovalLinksOptions {
  /** Where the page is served, once we listen. */
  readonly url: () => string | undefined;
  readonly clock: Clock;
}

/**
 * Links under which a person answers one approval in a browser. The key in a link is all that it
 * takes, as the person may have no session here: it is good for this one question and for as long
 * as that waits. It goes where the host shows progress to its person, never into a tool's result.
 */
export class ApprovalLinks {
  readonly #options: ApprovalLinksOptions;
  readonly #links = new Map<string, Link>();

  constructor(options: ApprovalLinksOptions) {
    this.#options = options;
  }

  readonly linkTo = ({ id, expiresAt }: Pick<Approval, 'id' | 'expiresAt'>): string | undefined => {
    const url = this.#options.url();
    if (url === undefined) return undefined;
    this.#forgetOld();
    const key = secretBytes(24).toString('base64url');
    const { clock } = this.#options;
    this.#links.set(id, { keyHash: hash(key), endsAt: clock.monotonic() + expiresAt - clock.now() });
    return `${url}/approve/${encodeURIComponent(id)}?key=${key}`;
  };

  opens(id: string, key: string): boolean {
    const link = this.#links.get(id);
    if (!link || link.endsAt <= this.#options.clock.monotonic()) return false;
    return timingSafeEqual(link.keyHash, hash(key));
  }

  used(id: string): void {
    this.#links.delete(id);
  }

  #forgetOld(): void {
    const now = this.#options.clock.monotonic();
    for (const [id, { endsAt }] of this.#links) if (endsAt <= now) this.#links.delete(id);
  }
}

function hash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}
