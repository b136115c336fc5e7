/**
 * The known name that a package's name could be mistaken for: one or two edits away, and not
 * equal to any known one. Short names are close to each other by nature, so they need to be closer.
 */
export function similarName(name: string, known: readonly string[]): string | undefined {
  const plain = normal(name);
  if (known.some((candidate) => normal(candidate) === plain)) {
    // Letter case and the marks between words are free in some package registries, and not in others.
    return known.includes(name)
      ? undefined
      : known.find((candidate) => normal(candidate) === plain && isNpm(name));
  }
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of known) {
    const max = Math.min(plain.length, candidate.length) < 8 ? 1 : 2;
    const edits = editsBetween(plain, normal(candidate), best === undefined ? max : best.edits - 1);
    if (edits !== undefined && edits > 0) best = { name: candidate, edits };
  }
  return best?.name;
}

function normal(name: string): string {
  return name.toLowerCase().replaceAll(/[._-]+/g, '-');
}

function isNpm(name: string): boolean {
  return name.startsWith('@');
}

/** Edits (insert, delete, replace, swap of neighbours) if they are at most `max`. */
function editsBetween(a: string, b: string, max: number): number | undefined {
  if (Math.abs(a.length - b.length) > max || max < 0) return undefined;
  let older: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cell = Math.min((next[j - 1] ?? 0) + 1, (row[j] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cell = Math.min(cell, (older[j - 2] ?? 0) + 1);
      next[j] = cell;
      least = Math.min(least, cell);
    }
    if (least > max) return undefined;
    older = row;
    row = next;
  }
  const edits = row[b.length] ?? 0;
  return edits <= max ? edits : undefined;
}
