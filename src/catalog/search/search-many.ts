import { searchLimits } from './limits.ts';
import type { Hit, SearchOptions } from './rank.ts';
import type { ToolIndex } from './tool-index.ts';

export interface SearchManyOptions extends SearchOptions {
  /** Several short queries find more than one long one. */
  readonly queries: readonly string[];
}

/** Queries take turns, so that none drowns another. */
export function searchMany(index: ToolIndex, options: SearchManyOptions): readonly Hit[] {
  return inTurns(searchEach(index, options), options.limit);
}

export interface Answer {
  readonly query: string;
  readonly hits: readonly Hit[];
}

export function searchEach(index: ToolIndex, { queries, ...options }: SearchManyOptions): readonly Answer[] {
  const asked = [...new Set(queries)].slice(0, searchLimits.queriesMax);
  return asked.map((query) => ({ query, hits: index.search(query, options) }));
}

export function inTurns(answers: readonly Answer[], wanted: number | undefined): readonly Hit[] {
  const limit = Math.min(wanted ?? searchLimits.hitsShown, searchLimits.hitsMax);
  const merged = new Map<string, Hit>();
  for (let place = 0; place < limit && merged.size < limit; place += 1) {
    const equals = answers.flatMap(({ hits }) => hits[place] ?? []);
    for (const hit of equals.toSorted((a, b) => b.score - a.score)) {
      if (merged.size < limit && !merged.has(hit.document.id)) merged.set(hit.document.id, hit);
    }
  }
  return [...merged.values()];
}
