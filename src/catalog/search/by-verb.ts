import { DESTRUCTIVE, READ, WRITE } from '../risk-words.ts';
import { byScore, type Hit } from './rank.ts';
import { weights } from './weights.ts';

/**
 * “Write …” is not answered by a tool that only reads, nor “get …” by one that changes something. The first verb
 * tells; of a long query, which asks for several tools, less.
 */
export function byVerb(hits: readonly Hit[], query: string): readonly Hit[] {
  const words = query.toLowerCase().match(WORD) ?? [];
  const verb = words.slice(0, FIRST_WORDS).find((word) => READ.has(word) || CHANGES.has(word));
  if (verb === undefined) return hits;
  const reads = READ.has(verb);
  const off = weights.otherVerb * Math.min(1, weights.coverageWords / words.length) ** 2;
  const isOther = ({ document: { risk }, score }: Hit): boolean =>
    // Exact names are above 1, and need no verb.
    score <= 1 && risk !== 'unknown' && (risk === 'read') !== reads;
  return hits.map((hit) => (isOther(hit) ? { ...hit, score: hit.score * (1 - off) } : hit)).toSorted(byScore);
}

const FIRST_WORDS = 3;
const WORD = /[a-z]+/g;
const CHANGES: ReadonlySet<string> = WRITE.union(DESTRUCTIVE);
