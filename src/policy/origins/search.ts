import type { Limits } from '../../base/limits.ts';
import { identifiers } from './identifiers.ts';
import type { PrintMemory } from './print-memory.ts';
import { PRINT_LETTERS, PRINT_WINDOW, type TextPrints } from './prints.ts';

export interface FoundSource {
  readonly sample: string;
  readonly exact: boolean;
}

export class Search {
  readonly #texts: TextPrints;
  readonly #limits: Limits;

  constructor(texts: TextPrints, limits: Limits) {
    this.#texts = texts;
    this.#limits = limits;
  }

  /** By source number. Joined text needs a longer match. */
  find(
    given: string,
    memory: PrintMemory,
    server: string,
    joined: boolean,
  ): ReadonlyMap<number, FoundSource> {
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
    let found: Map<number, FoundSource> | undefined;
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

  /** From the start of the word, which the first print may miss. */
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
const NOTHING: ReadonlyMap<number, FoundSource> = new Map();

interface Match {
  readonly from: number;
  readonly to: number;
  /** Ignoring case, spaces and punctuation. */
  readonly unbroken: boolean;
}

/** Long enough to rule out chance; more for joined pieces. */
const RUN_MIN = 20;
const JOINED_RUN_MIN = 24;
/** Shorter runs close together are an edited text. */
const PIECES_MIN = 2 * PRINT_LETTERS;
const PIECES_GAP = 32;
/** A short text that mostly matches counts, even by one print. */
const SHORT_PART = 0.6;

/** `letters`: length of the text; 0 for digits only, as any two may be the same time. */
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

/** Prints no farther apart than winnowing leaves them. */
function runsOf(places: readonly number[]): readonly { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const place of places) {
    const last = runs.at(-1);
    if (last && place - (last.to - PRINT_LETTERS) <= PRINT_WINDOW) last.to = place + PRINT_LETTERS;
    else runs.push({ from: place, to: place + PRINT_LETTERS });
  }
  return runs;
}
