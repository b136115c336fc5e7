import type { Json } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { TextEdit } from './repair.ts';
import type { Budget } from './view.ts';
import { BARE_KEY, KEY_AHEAD, QUOTES, TRIVIA, readBareword, readString } from './lenient-text.ts';

export interface LenientResult {
  readonly value: Json;
  readonly end: number;
  readonly changes: readonly { readonly at: number; readonly what: string }[];
  /** What would make the text sound, with nothing else changed. */
  readonly edits: readonly TextEdit[];
  readonly truncated: boolean;
  readonly places: WeakMap<object, number>;
}

interface LenientOptions {
  readonly members?: boolean;
  readonly budget: Budget;
  /** Told where the text stopped to be JSON. */
  readonly onStuck?: (at: number) => void;
}

/** Reads a value at `from` or, with `members`, members without braces; undefined if it isn't JSON at all. */
export function readLenientJson(
  text: string,
  from: number,
  { members = false, budget, onStuck }: LenientOptions,
): LenientResult | undefined {
  const parser = new LenientParser(text, from, budget);
  try {
    const value = members ? parser.looseMembers() : parser.value();
    const { at: end, changes, edits, truncated, places } = parser;
    return { value, end, changes, edits, truncated, places };
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    onStuck?.(parser.at);
    return undefined;
  }
}

class NotJson extends Error {}

type Pairs = Map<string, Json>;

/** Continues where a strict parser would stop, and notes each repair. */
class LenientParser {
  readonly text: string;
  readonly places = new WeakMap<object, number>();
  readonly changes: { at: number; what: string }[] = [];
  readonly edits: TextEdit[] = [];
  at: number;
  truncated = false;
  /** Before comments and spaces: a missing comma belongs there. */
  #valueEnd = 0;
  readonly #budget: Budget;
  /** Closing brackets still expected, outermost first. */
  readonly #open: string[] = [];

  constructor(text: string, from: number, budget: Budget) {
    this.text = text;
    this.at = from;
    this.#budget = budget;
  }

  value(): Json {
    const value = this.#anyValue();
    this.#valueEnd = this.at;
    return value;
  }

  #anyValue(): Json {
    this.#skip();
    const next = this.text[this.at];
    if (next === '{') return this.#container('}');
    if (next === '[') return this.#container(']');
    if (next === undefined) return this.#cutOff();
    if (this.#quoteHere()) return this.#string();
    return this.#bareword();
  }

  looseMembers(): Json {
    const start = this.at;
    const pairs: Pairs = new Map();
    let end = start;
    let comma: number | undefined;
    this.#edit(start, 0, '{');
    for (;;) {
      this.#skip();
      comma = this.text[this.at] === ',' ? this.at : undefined;
      if (comma !== undefined) this.at += 1;
      this.#skip();
      const before = this.at;
      const edits = this.edits.length;
      const key =
        this.#quoteHere() || KEY_AHEAD.test(this.text.slice(this.at, this.at + 80)) ? this.#key() : undefined;
      this.#skip();
      if (key === undefined || !this.#colon()) {
        this.at = comma === undefined ? Math.max(before, end) : comma + 1;
        this.edits.length = edits;
        break;
      }
      if (comma === undefined && pairs.size > 0) this.edits.splice(edits, 0, { from: end, to: end, by: ',' });
      pairs.set(key, this.value());
      end = this.at;
    }
    if (pairs.size === 0) throw new NotJson();
    this.#edit(end, 0, '}');
    if (comma !== undefined) this.#edit(comma, 1, '');
    this.note(start, 'the braces { } around these lines were missing');
    return this.#object(pairs, start);
  }

  #edit(from: number, length: number, by: string): void {
    this.edits.push({ from, to: from + length, by });
  }

  /** Passes a colon, or what stands for one. */
  #colon(): boolean {
    const sign = this.#next;
    if (sign !== ':' && sign !== '：' && sign !== '=') return false;
    const length = this.text.startsWith('=>', this.at) ? 2 : 1;
    if (sign !== ':') {
      this.note(this.at, `${sign} was read as a colon`);
      this.#edit(this.at, length, ':');
    }
    this.at += length;
    return true;
  }

  note(at: number, what: string): void {
    if (this.changes.length < limits.pasteChangesMax) this.changes.push({ at, what });
  }

  #container(closer: '}' | ']'): Json {
    const start = this.at;
    this.at += 1;
    this.#open.push(closer);
    if (this.#open.length > limits.pasteDepthMax) throw new NotJson();
    const pairs: Pairs = new Map();
    const items: Json[] = [];
    while (!this.#closes(closer, start)) {
      this.#budget.step();
      if (closer === '}') this.#member(pairs);
      else this.#item(items, pairs);
      this.#separator(closer);
    }
    this.#open.pop();
    if (closer === '}') return this.#object(pairs, start);
    if (pairs.size === 0) return items;
    this.note(start, 'a list [ ] held names; it was read as { }');
    this.#edit(start, 1, '{');
    if (this.text[this.at - 1] === ']') this.#edit(this.at - 1, 1, '}');
    return this.#object(pairs, start);
  }

  /** At its own bracket, an outer one, or the end of the text. */
  #closes(closer: string, start: number): boolean {
    this.#skip();
    const next = this.#next;
    const rest = this.text.length - this.at < 60 ? this.text.slice(this.at) : '"';
    if (next === undefined || (this.#open.length > 0 && /^[^"'{}[\]:,\w“”]+\w{0,10}\s*$/.test(rest))) {
      this.at = this.text.length;
      this.truncated = true;
      this.note(start, `the text ended before its closing ${closer}; it was added`);
      return true;
    }
    if (next !== '}' && next !== ']') return false;
    if (next !== closer && this.#open.slice(0, -1).includes(next)) {
      this.note(this.at, `a closing ${closer} was missing before this ${next}`);
      this.#edit(this.at, 0, closer);
      return true;
    }
    if (next !== closer) {
      this.note(this.at, `${next} stood where ${closer} was due`);
      this.#edit(this.at, 1, closer);
    }
    this.at += 1;
    return true;
  }

  #member(pairs: Pairs): void {
    const start = this.at;
    const written = this.#key();
    const end = this.at;
    this.#skip();
    const sign = this.#colon() ? ':' : this.text[this.at];
    const key = sign === ':' ? written : written.replace(/\s*[:：]$/, '');
    if (key !== written) {
      this.note(start, `the colon of “${key}” stood within its quotes`);
      this.#edit(start, end - start, `${JSON.stringify(key)}:`);
    } else if (sign !== ':' && (sign === '{' || sign === '[' || this.#quoteHere())) {
      this.note(this.at, `a colon was missing after “${key}”`);
      this.#edit(this.at, 0, ':');
    } else if (sign === ',' || sign === '}' || sign === undefined) {
      this.note(start, `“${key.slice(0, 40)}” has no value and was left out`);
      return;
    } else if (sign !== ':') throw new NotJson();
    const before = this.truncated;
    const value = this.value();
    // A value cut off by the end of the text would be wrong.
    if (this.truncated && !before && (typeof value !== 'object' || value === null)) return;
    if (pairs.has(key)) this.note(start, `“${key.slice(0, 40)}” stands twice; the later one counts`);
    pairs.set(key, value);
  }

  #item(items: Json[], pairs: Pairs): void {
    const before = this.truncated;
    const value = this.value();
    this.#skip();
    if (typeof value === 'string' && (this.#next === ':' || this.#next === '：')) {
      this.#colon();
      pairs.set(value, this.value());
      return;
    }
    if (this.truncated && !before && (typeof value !== 'object' || value === null)) return;
    items.push(value);
  }

  #separator(closer: string): void {
    const end = this.#valueEnd;
    this.#skip();
    const next = this.#next;
    if (next === ',' || next === ';' || next === '，' || next === '、') {
      if (next !== ',') {
        this.note(this.at, `${next} was read as a comma`);
        this.#edit(this.at, 1, ',');
      }
      const comma = this.at;
      this.at += 1;
      this.#skip();
      if (this.#next === ',') this.note(this.at, 'a comma stood twice');
      while (this.#next === ',') {
        this.#edit(this.at, 1, '');
        this.at += 1;
        this.#skip();
      }
      if (this.#next === '}' || this.#next === ']') {
        this.note(comma, `a comma before ${this.#next} was one too many`);
        this.#edit(comma, 1, '');
      }
      return;
    }
    if (next === undefined || next === '}' || next === ']') return;
    if (closer === ']' && next === ':') throw new NotJson();
    this.note(Math.max(0, end - 1), 'a comma was missing at the end of this line');
    this.#edit(end, 0, ',');
  }

  #key(): string {
    if (this.#quoteHere()) return this.#string();
    const word = BARE_KEY.exec(this.text.slice(this.at, this.at + 120))?.[0];
    if (word === undefined) throw new NotJson();
    this.note(this.at, `the name ${word.trim().slice(0, 40)} had no quotes`);
    this.#edit(this.at, word.length, JSON.stringify(word.trim()));
    this.at += word.length;
    return word.trim();
  }

  #quoteHere(): boolean {
    const next = this.text[this.at];
    return next !== undefined && (QUOTES.has(next) || (next === '\\' && this.text[this.at + 1] === '"'));
  }

  #string(): string {
    const { value, end, note, truncated } = readString(this.text, this.at);
    if (note !== undefined) {
      this.note(this.at, note);
      this.#edit(this.at, end - this.at, JSON.stringify(value));
    }
    if (truncated) this.#cutOff();
    this.at = end;
    return value;
  }

  #bareword(): Json {
    const found = readBareword(this.text, this.at);
    if (!found) throw new NotJson();
    if (found.note !== undefined) {
      this.note(this.at, found.note);
      this.#edit(this.at, found.end - this.at, JSON.stringify(found.value));
    }
    this.at = found.end;
    return found.value;
  }

  #cutOff(): null {
    this.truncated = true;
    const what = 'the text ended in the middle of a value, which was left out';
    this.note(Math.max(0, this.text.length - 1), what);
    return null;
  }

  get #next(): string | undefined {
    return this.text[this.at];
  }

  #object(pairs: Pairs, start: number): Json {
    // fromEntries makes own properties: `__proto__` is only a name.
    const object = Object.fromEntries(pairs);
    this.places.set(object, start);
    return object;
  }

  #skip(): void {
    for (;;) {
      TRIVIA.lastIndex = this.at;
      const found = TRIVIA.exec(this.text)?.[0];
      if (found === undefined || found === '') return;
      this.#budget.step();
      this.at += found.length;
    }
  }
}
