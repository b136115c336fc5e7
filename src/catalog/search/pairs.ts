import { SPACELESS, type Analyzer } from './analyze.ts';
import { firstSentence, type ToolDocument } from './document.ts';
import { searchLimits } from './limits.ts';
import { byScore, type Hit } from './rank.ts';
import { weights } from './weights.ts';

/**
 * Words that stand side by side in the query and in what a tool is called: “meeting point” is more than
 * “meeting” and “point”. Looked for in the best hits alone, so that the index need not hold pairs.
 */
export function byPairs(
  hits: readonly Hit[],
  terms: readonly string[],
  { analyzer, idfOf }: { readonly analyzer: Analyzer; readonly idfOf: (term: string) => number },
): readonly Hit[] {
  const pairs = new Map<string, number>();
  let total = 0;
  for (const [at, term] of terms.entries()) {
    total += idfOf(term);
    const before = terms[at - 1];
    if (before !== undefined && before !== term && !overlap(before, term))
      pairs.set(`${before} ${term}`, Math.max(idfOf(before), idfOf(term)));
  }
  if (pairs.size === 0 || total === 0) return hits;
  // The bonus only raises: what follows the best stays behind them.
  const best = hits.slice(0, searchLimits.pairedHits);
  const paired = best
    .map((hit) => {
      let found = 0;
      for (const pair of pairsOf(hit.document, analyzer)) found += pairs.get(pair) ?? 0;
      return { ...hit, score: hit.score + (weights.pair * found) / total };
    })
    .toSorted(byScore);
  return [...paired, ...hits.slice(searchLimits.pairedHits)];
}

/** Pairs of Chinese characters: two of them that share one are three characters, not two words. */
function overlap(before: string, term: string): boolean {
  return SPACELESS.test(term) && before.length === 2 && before[1] === term[0];
}

function pairsOf({ name, title = '', description = '' }: ToolDocument, analyzer: Analyzer): Set<string> {
  const found = new Set<string>();
  for (const text of [name, title, firstSentence(description)]) {
    const terms = analyzer.terms(text);
    for (let at = 1; at < terms.length; at += 1) found.add(`${terms[at - 1]} ${terms[at]}`);
  }
  return found;
}
