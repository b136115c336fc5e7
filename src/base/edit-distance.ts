/** Damerau–Levenshtein distance (with swaps of neighbors); `max + 1` when it is more than `max`. */
export function editsBetween(a: string, b: string, max: number = Number.POSITIVE_INFINITY): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let edits = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits = Math.min(edits, at(beforeLast, j - 2) + 1);
      row.push(edits);
      least = Math.min(least, edits);
    }
    if (least > max) return max + 1;
    beforeLast = last;
    last = row;
  }
  return Math.min(at(last, b.length), max + 1);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? 0;
}
