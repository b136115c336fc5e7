import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';

interface RecentResult {
  readonly callId: string;
  readonly result: JsonObject;
}

/**
 * The last results, in memory alone, for a person who looks at what a call answered. A ring of fixed
 * places: what comes and goes with every call must not grow a table.
 */
export class RecentResults {
  readonly #limits: Pick<Limits, 'recentResultsMax' | 'recentResultBytesMax'>;
  readonly #isRecorded: (server: string) => boolean;
  readonly #ring: (RecentResult | undefined)[] = [];
  #next = 0;

  constructor(options: {
    readonly limits: Pick<Limits, 'recentResultsMax' | 'recentResultBytesMax'>;
    readonly isRecorded: (server: string) => boolean;
  }) {
    this.#limits = options.limits;
    this.#isRecorded = options.isRecorded;
  }

  add(
    server: string,
    {
      callId,
      result,
      bytes,
    }: { readonly callId: string; readonly result: JsonObject; readonly bytes: number },
  ): void {
    const { recentResultsMax, recentResultBytesMax } = this.#limits;
    if (bytes > recentResultBytesMax || !this.#isRecorded(server)) return;
    this.#ring[this.#next] = { callId, result };
    this.#next = (this.#next + 1) % recentResultsMax;
  }

  get(callId: string): JsonObject | undefined {
    return this.#ring.find((each) => each?.callId === callId)?.result;
  }
}
