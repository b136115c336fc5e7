import { editsBetween } from './edit-distance.ts';

export function suggest(word: string, known: readonly string[], max = 3): readonly string[] {
  const wanted = word.slice(0, LENGTH_MAX).toLowerCase();
  if (wanted === '') return [];
  return known
    .map((candidate) => ({ candidate, far: distance(wanted, candidate.slice(0, LENGTH_MAX).toLowerCase()) }))
    .filter(({ candidate, far }) => far <= farthest(wanted, candidate))
    .toSorted((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, max)
    .map(({ candidate }) => candidate);
}

/** “Did you mean a or b?”, or nothing. */
export function didYouMean(suggestions: readonly string[]): string {
  if (suggestions.length === 0) return '';
  const before = suggestions.slice(0, -1);
  return `Did you mean ${before.length > 0 ? `${before.join(', ')} or ` : ''}${suggestions.at(-1)}?`;
}

/** The distance takes quadratic time: longer words are compared by their start. */
const LENGTH_MAX = 96;

/** A third of the word may be wrong; one edit always may. */
function farthest(wanted: string, candidate: string): number {
  return Math.max(1, Math.floor(Math.max(wanted.length, Math.min(candidate.length, LENGTH_MAX)) / 3));
}

/** A longer name that contains the word is near. */
function distance(a: string, b: string): number {
  if (a.length >= 2 && (b.startsWith(a) || b.endsWith(`/${a}`))) return 1;
  if (a.length >= 3 && b.includes(a)) return 1;
  return editsBetween(a, b);
}
