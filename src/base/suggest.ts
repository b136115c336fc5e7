/** The known words that a mistyped one most likely meant, best first; empty when none is near. */
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
  const last = suggestions.at(-1);
  const before = suggestions.slice(0, -1);
  return `Did you mean ${before.length > 0 ? `${before.join(', ')} or ` : ''}${last}?`;
}

/** The distance is quadratic in the length: longer words are compared by their beginning. */
const LENGTH_MAX = 96;

/** A third of the word may be wrong; one edit always may. */
function farthest(wanted: string, candidate: string): number {
  return Math.max(1, Math.floor(Math.max(wanted.length, Math.min(candidate.length, LENGTH_MAX)) / 3));
}

/** Edits between two words, a swap of neighbours counting as one; a longer name of which it is a part is near. */
function distance(a: string, b: string): number {
  if (a.length >= 2 && (b.startsWith(a) || b.endsWith(`/${a}`))) return 1;
  if (a.length >= 3 && b.includes(a)) return 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
