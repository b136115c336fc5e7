import type { Clock } from '../../base/clock.ts';
import { learnedLimits as limits } from './limits.ts';

/** One query of a search, as terms that the catalog has, and the tools that it found. */
export interface FoundByQuery {
  readonly terms: readonly string[];
  /** As `server/tool`. */
  readonly tools: readonly string[];
}

interface RecentSearch {
  readonly at: number;
  readonly queries: readonly { readonly text: string; readonly tools: Set<string> }[];
}

/** What each caller searched for last, until it calls what it found. In memory only. */
export class RecentSearches {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Who searched last comes last. */
  readonly #callers = new Map<string, readonly RecentSearch[]>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /** Asked for every call, before anything is made up for it: most people's hosts never search. */
  get isEmpty(): boolean {
    return this.#callers.size === 0;
  }

  has(caller: string): boolean {
    return this.#callers.has(caller);
  }

  add(caller: string, found: readonly FoundByQuery[]): void {
    const queries = found
      .filter(({ terms, tools }) => terms.length > 0 && tools.length > 0)
      .map(({ terms, tools }) => ({
        text: terms.slice(0, limits.termsPerQueryMax).join(' '),
        tools: new Set(tools),
      }));
    if (queries.length === 0) return;
    const recent = [{ at: this.#clock.monotonic(), queries }, ...this.#of(caller)];
    this.#callers.delete(caller);
    this.#callers.set(caller, recent.slice(0, limits.searchesPerCallerMax));
    const [oldest] = this.#callers.keys();
    if (oldest !== undefined && this.#callers.size > limits.callersMax) this.#callers.delete(oldest);
  }

  /** The queries of the caller's last search that found the tool. Each counts once. */
  take(caller: string, tool: string): readonly string[] {
    const recent = this.#of(caller);
    if (recent.length === 0) this.#callers.delete(caller);
    for (const { queries } of recent) {
      const led = queries.filter(({ tools }) => tools.delete(tool));
      if (led.length > 0) return led.map(({ text }) => text);
    }
    return [];
  }

  clear(): void {
    this.#callers.clear();
  }

  #of(caller: string): readonly RecentSearch[] {
    const since = this.#clock.monotonic() - limits.searchAgeMsMax;
    return (this.#callers.get(caller) ?? []).filter(({ at }) => at >= since);
  }
}
