import { PRINT_LETTERS, PRINT_WINDOW } from './prints.ts';

/** Where one source was found in one text, by the places of its letters. */
export interface Match {
  readonly from: number;
  readonly to: number;
  /** Found in one piece. Case, spaces and punctuation do not count. */
  readonly unbroken: boolean;
}

/** A run of letters this long is no chance. */
const RUN_MIN = 20;
/** Shorter runs close to each other are a text that was edited. */
const PIECES_MIN = 2 * PRINT_LETTERS;
const PIECES_GAP = 32;
/** A short text that consists of what was found is found, even by a single print. */
const SHORT_PART = 0.6;

/**
 * Whether prints found at these places, in order, are enough to say that the text came from there.
 * `letters` is how many the text has; 0 for one of digits, as any two may name the same time.
 */
export function matchOf(places: readonly number[], letters: number): Match | undefined {
  const runs = runsOf(places);
  let best: Match | undefined;
  let pieces = 0;
  let piecesFrom = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const { from, to } of runs) {
    const long = to - from >= RUN_MIN || (letters > 0 && to - from >= letters * SHORT_PART);
    if (long && (!best || to - from > best.to - best.from)) best = { from, to, unbroken: runs.length === 1 };
    if (from - lastEnd > PIECES_GAP) {
      pieces = 0;
      piecesFrom = from;
    }
    pieces += to - from;
    lastEnd = to;
    if (!best && pieces >= PIECES_MIN) best = { from: piecesFrom, to, unbroken: false };
  }
  return best;
}

/** Prints whose distance is what the choice of prints leaves between two neighbours. */
function runsOf(places: readonly number[]): readonly { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && place - (last.to - PRINT_LETTERS) <= PRINT_WINDOW) last.to = place + PRINT_LETTERS;
    else runs.push({ from: place, to: place + PRINT_LETTERS });
  }
  return runs;
}
