import type { Limits } from '../../base/limits.ts';
import { identifiers } from './identifiers.ts';
import type { PrintMemory } from './print-memory.ts';
import { PRINT_LETTERS, PRINT_WINDOW, type TextPrints } from './prints.ts';

export interface Found {
  /** The beginning of what was found again. */
  readonly sample: string;
  /** In one piece. */
  readonly exact: boolean;
}

/** Looks for what others told in one text after the other. */
export class Search {
  readonly #texts: TextPrints;
  readonly #limits: Limits;

  constructor(texts: TextPrints, limits: Limits) {
    this.#texts = texts;
    this.#limits = limits;
  }

  /** By the number of the source. A text that was put together has to hold more of it. */
  find(given: string, memory: PrintMemory, server: string, joined: boolean): ReadonlyMap<number, Found> {
    const text = this.#texts.read(given);
    const { letters, prints } = this.#texts;
    const { hashes, checks, length } = prints;
    let places: Map<number, number[]> | undefined;
    for (let place = 0; place < length; place += 1) {
      for (const source of memory.others(hashes[place] ?? 0, checks[place] ?? 0, server)) {
        places ??= new Map();
        const known = places.get(source);
        if (known) known.push(place);
        else places.set(source, [place]);
      }
    }
    let found: Map<number, Found> | undefined;
    if (places) {
      const wordy = !joined && letters.hasWords();
      for (const [source, where] of places) {
        const match = matchOf(where, wordy ? letters.length : 0, joined ? JOINED_RUN_MIN : undefined);
        if (match)
          (found ??= new Map()).set(source, { sample: this.#sample(text, match), exact: match.unbroken });
      }
    }
    identifiers(text, (hash, check, from, to) => {
      for (const source of memory.others(hash, check, server)) {
        if (!found?.has(source))
          (found ??= new Map()).set(source, { sample: text.slice(from, to), exact: true });
      }
    });
    return found ?? NOTHING;
  }

  /** From the beginning of a word, which the first print may have missed. */
  #sample(text: string, { from, to }: Match): string {
    const { places } = this.#texts.letters;
    const first = places[from] ?? 0;
    const word = text.lastIndexOf(' ', first) + 1;
    const start = first - word <= WORD_CHARS ? word : first;
    const end = (places[to - 1] ?? 0) + 1;
    return text.slice(start, Math.min(end, start + this.#limits.originSampleCharsMax));
  }
}

const WORD_CHARS = 24;
const NOTHING: ReadonlyMap<number, Found> = new Map();

/** Where one source was found in one text, by the places of its letters. */
interface Match {
  readonly from: number;
  readonly to: number;
  /** Found in one piece. Case, spaces and punctuation do not count. */
  readonly unbroken: boolean;
}

/** A run of letters this long is no chance; of pieces put together it takes more. */
const RUN_MIN = 20;
const JOINED_RUN_MIN = 24;
/** Shorter runs close to each other are a text that was edited. */
const PIECES_MIN = 2 * PRINT_LETTERS;
const PIECES_GAP = 32;
/** A short text that consists of what was found is found, even by a single print. */
const SHORT_PART = 0.6;

/**
 * Whether prints found at these places, in order, are enough to say that the text came from there.
 * `letters` is how many the text has; 0 for one of digits, as any two may name the same time.
 */
function matchOf(places: readonly number[], letters: number, runMin: number = RUN_MIN): Match | undefined {
  const runs = runsOf(places);
  let best: Match | undefined;
  let pieces = 0;
  let piecesFrom = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const { from, to } of runs) {
    const long = to - from >= runMin || (letters > 0 && to - from >= letters * SHORT_PART);
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
