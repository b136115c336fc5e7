/** How many letters must be changed, added, left out or swapped with the next; anything above `max` counts as more. */
export function editsBetween(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return max + 1;
  let twoAgo: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + same);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, at(twoAgo, j - 2) + 1);
      row.push(least);
    }
    if (Math.min(...row) > max) return max + 1;
    twoAgo = last;
    last = row;
  }
  return at(last, b.length);
}

/**
 * Whether two names differ as by a slip of the finger: two letters swapped, one doubled, or one left
 * out inside a word. A plural, another number or another word is a different name, not a slip.
 */
export function isSlip(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  let start = 0;
  while (start < short.length && long[start] === short[start]) start += 1;
  if (long.length === short.length) {
    return (
      long[start] === short[start + 1] &&
      long[start + 1] === short[start] &&
      long[start] !== long[start + 1] &&
      long.slice(start + 2) === short.slice(start + 2)
    );
  }
  const extra = long[start] ?? '';
  const isInside = start > 0 && start < long.length - 1;
  return isInside && /[a-rt-z]/.test(extra) && long.slice(start + 1) === short.slice(start);
}

/** The letters of a text as one number, whatever their order. It may be shared by chance: `isSlip` tells. */
export function lettersOf(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) sum = (sum + weightOf(text.charCodeAt(index))) | 0;
  return sum;
}

function weightOf(code: number): number {
  return Math.imul(Math.imul(code + 1, 0x9e_37_79_b1) ^ (code * 0x85_eb_ca_6b), 0xc2_b2_ae_35) | 0;
}

/** How far a slip can move that number: by nothing, or by one letter more or less. */
export const SLIP_STEPS: readonly number[] = [
  0,
  ...Array.from('abcdefghijklmnopqrtuvwxyz', (letter) => weightOf(letter.charCodeAt(0))).flatMap((weight) => [
    weight,
    -weight,
  ]),
];

function at(numbers: readonly number[], index: number): number {
  return numbers[index] ?? 0;
}
