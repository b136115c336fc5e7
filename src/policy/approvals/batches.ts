import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';

interface OpenBatch {
  readonly id: string;
  readonly openedAt: number;
}

/**
 * Which questions belong together: those of one requester that come within a moment, or that the
 * caller counts as one. A batch that somebody has answered takes no more, so that nothing slips
 * into an answer after the person looked.
 */
export class Batches {
  readonly #options: { readonly clock: Clock; readonly ids: Ids; readonly limits: Limits };
  readonly #open = new Map<string, OpenBatch>();

  constructor(options: { readonly clock: Clock; readonly ids: Ids; readonly limits: Limits }) {
    this.#options = options;
  }

  idFor(requester: string, named: string | undefined): string {
    const { clock, ids, limits } = this.#options;
    const now = clock.monotonic();
    for (const [key, { openedAt }] of this.#open) {
      if (now - openedAt > limits.approvalBatchMs) this.#open.delete(key);
    }
    const key = JSON.stringify([requester, named ?? null]);
    const known = this.#open.get(key);
    if (known) return known.id;
    const id = ids.next('batch');
    this.#open.set(key, { id, openedAt: now });
    return id;
  }

  close(id: string): void {
    for (const [key, open] of this.#open) if (open.id === id) this.#open.delete(key);
  }
}
