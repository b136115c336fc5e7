import { timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/digest.ts';
import type { Approval } from '../../hub/hub.ts';
import { secretBytes } from '../../base/ids.ts';

export interface ApprovalLinksOptions {
  /** Known once we listen. */
  readonly url: () => string | undefined;
  readonly clock: Clock;
}

/**
 * Links under which a person answers one approval in a browser. The key in a link is all it takes, as the
 * person may have no session: it opens only this question, while that waits. It goes where the host shows
 * progress to its person, never into a tool's result.
 */
export class ApprovalLinks {
  readonly #options: ApprovalLinksOptions;
  /** `endsAt` is monotonic, as the question's own time is: the machine's clock may jump. */
  readonly #links = new Map<string, { readonly keyHash: Buffer; readonly endsAt: number }>();

  constructor(options: ApprovalLinksOptions) {
    this.#options = options;
  }

  readonly linkTo = ({ id, expiresAt }: Pick<Approval, 'id' | 'expiresAt'>): string | undefined => {
    const { clock, url: ownUrl } = this.#options;
    const url = ownUrl();
    if (url === undefined) return undefined;
    const now = clock.monotonic();
    for (const [old, { endsAt }] of this.#links) if (endsAt <= now) this.#links.delete(old);
    const key = secretBytes(24).toString('base64url');
    this.#links.set(id, { keyHash: sha256(key), endsAt: now + expiresAt - clock.now() });
    return `${url}/approve/${encodeURIComponent(id)}?key=${key}`;
  };

  opens(id: string, key: string): boolean {
    const link = this.#links.get(id);
    if (!link || link.endsAt <= this.#options.clock.monotonic()) return false;
    return timingSafeEqual(link.keyHash, sha256(key));
  }

  used(id: string): void {
    this.#links.delete(id);
  }
}
