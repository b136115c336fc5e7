import type { JsonObject } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import type { DataOrigin } from '../decision.ts';
import { isStockPhrase } from './stock-phrases.ts';
import { decodings } from './decodings.ts';
import { identifiers } from './identifiers.ts';
import { Letters } from './letters.ts';
import { type Match, matchOf } from './matches.ts';
import { Prints } from './prints.ts';
import { PrintMemory } from './print-memory.ts';
import { eachText } from './texts.ts';

/**
 * Tells which arguments came out of other servers' results. It finds texts of about 24 letters and
 * digits (for certain from 35) and shorter identifiers, also with other case, spaces, punctuation,
 * in base64, hex or URL-encoding, cut out of a longer text, or with small edits. It does not find
 * what was said in other words, translated, encrypted or compressed: then nothing of the text is left.
 */
export class DataOrigins {
  readonly #limits: Limits;
  /** Most recently used last. */
  readonly #memories = new Map<string, PrintMemory>();
  readonly #letters = new Letters();
  readonly #prints = new Prints();
  #enabled: boolean;

  constructor(options: { readonly limits: Limits; readonly enabled?: boolean }) {
    this.#limits = options.limits;
    this.#enabled = options.enabled ?? false;
  }

  get enabled(): boolean {
    return this.#enabled;
  }

  /** Only rules over data need it. Switched off, it costs nothing and forgets everything. */
  set enabled(enabled: boolean) {
    this.#enabled = enabled;
    if (!enabled) this.#memories.clear();
  }

  /** Keeps fingerprints of a result: its beginning, and of what is very long, samples of the rest. */
  remember(told: {
    readonly principal: string;
    readonly server: string;
    readonly tool: string;
    readonly result: unknown;
  }): void {
    if (!this.#enabled) return;
    const memory = this.#memory(told.principal);
    const source = memory.source(told.server, told.tool);
    const { originResultCharsMax, originSpreadPieceChars, originSpreadPieces } = this.#limits;
    let left = originResultCharsMax;
    let pieces = originSpreadPieces;
    eachText(told.result, (text) => {
      if (text.length < SHORTEST) return;
      if (left > 0) this.#keep(text.length > left ? text.slice(0, left) : text, memory, source);
      const rest = left > 0 ? text.slice(left) : text;
      left -= text.length;
      if (rest === '' || pieces <= 0) return;
      const step = Math.max(originSpreadPieceChars, Math.floor(rest.length / pieces));
      for (let from = 0; from < rest.length && pieces > 0; from += step, pieces -= 1) {
        this.#keep(rest.slice(from, from + originSpreadPieceChars), memory, source);
      }
    });
  }

  /** What of these arguments other servers have told before. A server's own data are no news to it. */
  originsIn(asked: {
    readonly principal: string;
    readonly server: string;
    readonly args: JsonObject;
  }): readonly DataOrigin[] {
    const memory = this.#enabled ? this.#memories.get(asked.principal) : undefined;
    if (!memory?.knowsOthers(asked.server)) return [];
    const found = new Map<string, DataOrigin>();
    eachText(asked.args, (text, argument) => {
      if (text.length < SHORTEST || found.size >= this.#limits.originFindingsMax) return;
      for (const [index, form] of [text, ...decodings(text)].entries()) {
        for (const [source, { sample, exact }] of this.#search(form, memory, asked.server)) {
          const { server, tool } = memory.sourceAt(source) ?? { server: '', tool: '' };
          const key = JSON.stringify([server, tool, argument]);
          if (found.has(key)) continue;
          found.set(key, { server, tool, argument, sample, exact: exact && index === 0 });
        }
      }
    });
    return [...found.values()].slice(0, this.#limits.originFindingsMax);
  }

  /** When a server is removed. */
  forget(server: string): void {
    for (const memory of this.#memories.values()) memory.forget(server);
  }

  #memory(principal: string): PrintMemory {
    const known = this.#memories.get(principal);
    const memory = known ?? new PrintMemory(this.#limits.originPrintsMax);
    this.#memories.delete(principal);
    this.#memories.set(principal, memory);
    const oldest = this.#memories.keys().next();
    if (this.#memories.size > this.#limits.originPrincipalsMax && !oldest.done) {
      this.#memories.delete(oldest.value);
    }
    return memory;
  }

  #keep(text: string, memory: PrintMemory, source: number): void {
    this.#letters.read(text);
    this.#prints.read(this.#letters.codes, this.#letters.length);
    const { hashes, checks, chosen } = this.#prints;
    const count = this.#prints.choose();
    let kept = 0;
    for (let index = 0; index < count; index += 1) {
      const place = chosen[index] ?? 0;
      const hash = hashes[place] ?? 0;
      if (isStockPhrase(hash)) continue;
      // Those that are kept move to the front: no place is chosen before its own.
      hashes[kept] = hash;
      checks[kept] = checks[place] ?? 0;
      kept += 1;
    }
    memory.addAll(hashes, checks, kept, source);
    identifiers(text, (hash, check) => memory.add(hash, check, source));
  }

  #search(given: string, memory: PrintMemory, server: string): ReadonlyMap<number, Found> {
    const text = this.#letters.read(given);
    this.#prints.read(this.#letters.codes, this.#letters.length);
    const { hashes, checks, length } = this.#prints;
    const places = new Map<number, number[]>();
    for (let place = 0; place < length; place += 1) {
      for (const source of memory.others(hashes[place] ?? 0, checks[place] ?? 0, server)) {
        const known = places.get(source);
        if (known) known.push(place);
        else places.set(source, [place]);
      }
    }
    const found = new Map<number, Found>();
    const wordy = places.size > 0 && this.#letters.hasWords();
    for (const [source, where] of places) {
      const match = matchOf(where, wordy ? this.#letters.length : 0);
      if (match) found.set(source, { sample: this.#sample(text, match), exact: match.unbroken });
    }
    identifiers(text, (hash, check, from, to) => {
      for (const source of memory.others(hash, check, server)) {
        if (!found.has(source)) found.set(source, { sample: text.slice(from, to), exact: true });
      }
    });
    return found;
  }

  /** From the beginning of a word, which the first print may have missed. */
  #sample(text: string, { from, to }: Match): string {
    const { places } = this.#letters;
    const first = places[from] ?? 0;
    const word = text.lastIndexOf(' ', first) + 1;
    const start = first - word <= WORD_CHARS ? word : first;
    const end = (places[to - 1] ?? 0) + 1;
    return text.slice(start, Math.min(end, start + this.#limits.originSampleCharsMax));
  }
}

const WORD_CHARS = 24;
const SHORTEST = 8;

interface Found {
  readonly sample: string;
  readonly exact: boolean;
}
