import type { ResultStore, StoredResult } from '../../calls/stored-result.ts';
import type { OwnerId } from '../../servers/store.ts';
import { boundedCount, boundedTime } from '../order.ts';

interface Row {
  /** JSON text, so that what was put in cannot be changed from outside. */
  readonly body: string;
  readonly pieces: readonly string[];
}

export class MemoryResultStore implements ResultStore {
  readonly #rows = new Map<OwnerId, Map<string, Row>>();

  async putResult(owner: OwnerId, result: StoredResult, pieces: readonly string[]): Promise<void> {
    const rows = this.#rows.get(owner) ?? new Map<string, Row>();
    this.#rows.set(owner, rows);
    rows.set(result.id, { body: JSON.stringify(result), pieces: [...pieces] });
  }

  async getResult(owner: OwnerId, id: string): Promise<StoredResult | undefined> {
    const row = this.#rows.get(owner)?.get(id);
    return row && toResult(row);
  }

  async getPiece(owner: OwnerId, id: string, index: number): Promise<string | undefined> {
    return this.#rows.get(owner)?.get(id)?.pieces[index];
  }

  async listResults(owner: OwnerId): Promise<readonly StoredResult[]> {
    // Among results of one moment the later written is the newer: sorting is stable.
    return [...(this.#rows.get(owner)?.values() ?? [])]
      .map(toResult)
      .toReversed()
      .toSorted((a, b) => boundedTime(b.createdAt) - boundedTime(a.createdAt));
  }

  async deleteResult(owner: OwnerId, id: string): Promise<boolean> {
    return this.#rows.get(owner)?.delete(id) ?? false;
  }

  async pruneResults(
    owner: OwnerId,
    { now, bytesMax }: { readonly now: number; readonly bytesMax: number },
  ): Promise<number> {
    let total = 0;
    let gone = 0;
    for (const result of await this.listResults(owner)) {
      const expired = boundedTime(result.expiresAt) <= boundedTime(now);
      if (!expired) total += boundedCount(result.bytes, Number.MAX_SAFE_INTEGER);
      if (!expired && total <= boundedCount(bytesMax, Number.MAX_SAFE_INTEGER)) continue;
      await this.deleteResult(owner, result.id);
      gone += 1;
    }
    return gone;
  }
}

function toResult({ body }: Row): StoredResult {
  return JSON.parse(body) as StoredResult; // putResult() wrote it
}
