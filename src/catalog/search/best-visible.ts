/** Coarse steps of a score between 0 and 1. */
const STEPS = 1_024;

/**
 * The slots that may be seen, the best ones: step by step down the scores until there are enough, so
 * that most tools are never asked about. A step is taken whole: which slots come out depends on the
 * scores alone, not on the order in which they were found.
 */
export function bestVisible(
  scores: Float32Array,
  slots: Int32Array,
  { isVisible, enough }: { readonly isVisible: (slot: number) => boolean; readonly enough: number },
): readonly number[] {
  const { sorted, ends } = sortBySteps(scores, slots);
  const visible: number[] = [];
  for (let step = STEPS - 1; step >= 0 && visible.length < enough; step -= 1) {
    const start = step === 0 ? 0 : (ends[step - 1] ?? 0);
    for (const slot of sorted.subarray(start, ends[step])) if (isVisible(slot)) visible.push(slot);
  }
  return visible;
}

/** A counting sort: `ends` tells where each step ends. */
function sortBySteps(
  scores: Float32Array,
  slots: Int32Array,
): { readonly sorted: Int32Array; readonly ends: Int32Array } {
  const ends = new Int32Array(STEPS);
  // Indexed on purpose: these loops run once for each of a hundred thousand tools.
  for (let at = 0; at < slots.length; at += 1) {
    const step = stepOf(scores[slots[at] ?? 0] ?? 0);
    ends[step] = (ends[step] ?? 0) + 1;
  }
  for (let step = 1; step < STEPS; step += 1) ends[step] = (ends[step] ?? 0) + (ends[step - 1] ?? 0);
  const next = ends.slice();
  const sorted = new Int32Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    const step = stepOf(scores[slot] ?? 0);
    const to = (next[step] ?? 0) - 1;
    next[step] = to;
    sorted[to] = slot;
  }
  return { sorted, ends };
}

/** Most scores are low: the root gives them more of the steps. */
function stepOf(score: number): number {
  return Math.min(STEPS - 1, Math.floor(Math.sqrt(score) * STEPS));
}
