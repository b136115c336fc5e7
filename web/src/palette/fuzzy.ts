/**
 * How well a text fits what was typed; 0 is not at all. All words must be found, each as letters in
 * their order; beginnings of words and letters side by side count more.
 */
export function fitOf(text: string, typed: string): number {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const lower = text.toLowerCase();
  let total = 1;
  for (const word of words) {
    const fit = fitOfWord(lower, word);
    if (fit === 0) return 0;
    total += fit;
  }
  return total - lower.length / 1_000;
}

function fitOfWord(text: string, word: string): number {
  const at = text.indexOf(word);
  if (at !== -1) return word.length * (startsWord(text, at) ? 4 : 3);
  let fit = 0;
  let from = 0;
  for (const letter of word) {
    const found = text.indexOf(letter, from);
    if (found === -1) return 0;
    fit += startsWord(text, found) ? 2 : found === from ? 1 : 0.3;
    from = found + 1;
  }
  // Letters that are strewn over a long text are no find.
  return fit >= word.length * 0.8 ? fit : 0;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[\s/_.:-]/.test(text[at - 1] ?? '');
}
