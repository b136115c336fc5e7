import type { JsonObject } from '../../base/json.ts';
import { ExactNumber } from '../../base/exact-number.ts';
import type { Limits } from '../../base/limits.ts';

export interface ArgumentText {
  readonly text: string;
  readonly argument: string;
  readonly joined: boolean;
}

interface Open {
  readonly value: unknown;
  readonly path: string;
  /** Only when it is data, not a name the tool declares. */
  readonly key?: string;
  readonly inList: boolean;
}

/** Values, undeclared keys, and neighbors joined, as a text may be split. False when too large. */
export function eachArgumentText(
  args: JsonObject,
  declared: ReadonlySet<string>,
  { originArgsCharsMax, originArgsTextsMax }: Limits,
  onText: (found: ArgumentText) => void,
): boolean {
  const open: Open[] = [{ value: args, path: '', inList: false }];
  // Reported last: not needed when one argument already matches.
  const joined = new Map<string, ArgumentText>();
  const together = (argument: string): Run =>
    new Run((text) => joined.has(text) || joined.set(text, { text, argument, joined: true }));
  const [everything, values, keys] = [together(''), together(''), together('')];
  const columns = new Map<string, Run>();
  let chars = 0;
  let texts = 0;
  let nested = 0;
  const told = (text: string, argument: string): void => {
    chars += text.length;
    texts += 1;
    onText({ text, argument, joined: false });
    everything.add(text);
  };
  for (let next = open.pop(); next; next = open.pop()) {
    if (chars > originArgsCharsMax || texts + open.length > originArgsTextsMax) return false;
    const { value, path, key, inList } = next;
    if (key !== undefined) {
      told(key, path);
      keys.add(key);
    }
    const text = leafText(value);
    if (text !== undefined) {
      told(text, path);
      values.add(text);
    }
    if (typeof value !== 'object' || value === null) continue;
    nested += 1;
    const siblings = together(path);
    const entries = Object.entries(value);
    const isList = Array.isArray(value);
    for (const [name, inner] of entries) {
      const piece = leafText(inner);
      if (piece === undefined) continue;
      siblings.add(piece);
      if (!inList || isList) continue;
      const column = columns.get(name) ?? together('');
      columns.set(name, column);
      column.add(piece);
    }
    siblings.end();
    const spelled = isList ? spelledText(value) : undefined;
    if (spelled !== undefined) told(spelled, path);
    for (let index = entries.length - 1; index >= 0; index -= 1) {
      const [name = '', inner] = entries[index] ?? [];
      const data = !isList && !declared.has(name);
      const at =
        (path === '' ? '' : `${path}.`) + (name.length > NAME_CHARS ? `${name.slice(0, NAME_CHARS)}…` : name);
      open.push({ value: inner, path: at, inList: isList, ...(data ? { key: name } : {}) });
    }
  }
  // Flat declared arguments were already joined as siblings.
  if (nested > 1) values.end();
  if (keys.pieces > 0) {
    keys.end();
    everything.end();
  }
  for (const column of columns.values()) column.end();
  for (const text of joined.values()) onText(text);
  return true;
}

const NAME_CHARS = 60;
const SPELLED_MIN = 16;

function spelledText(list: readonly unknown[]): string | undefined {
  if (list.length < SPELLED_MIN) return undefined;
  let text = '';
  for (const code of list) {
    if (typeof code !== 'number' || !Number.isInteger(code) || code < 0 || code > 0x10_ff_ff)
      return undefined;
    text += String.fromCodePoint(code);
  }
  return text;
}

/** Pieces that may be one text. Of a long piece only the edges count: its inside is checked on its own. */
class Run {
  readonly #onText: (text: string) => unknown;
  #text = '';
  #joined = 0;
  pieces = 0;

  constructor(onText: (text: string) => unknown) {
    this.#onText = onText;
  }

  add(piece: string): void {
    this.pieces += 1;
    this.#joined += 1;
    if (piece.length <= LONG) {
      this.#text += piece;
      return;
    }
    this.#text += piece.slice(0, EDGE);
    this.end();
    this.#text = piece.slice(-EDGE);
    this.#joined = 1;
  }

  end(): void {
    if (this.#joined > 1) this.#onText(this.#text);
    this.#text = '';
    this.#joined = 0;
  }
}

/** Fits forty letters, even as hex or double base64. */
const EDGE = 96;
const LONG = 2 * EDGE;

/** Every text in a result, and keys that are data. Ids may be numbers. */
export function eachText(value: unknown, onText: (text: string) => void): void {
  // Iterative: nesting can't overflow the stack.
  const open: unknown[] = [value];
  while (open.length > 0) {
    const inner = open.pop();
    const text = leafText(inner);
    if (text !== undefined) onText(text);
    else if (typeof inner === 'object' && inner !== null) {
      const entries = Object.entries(inner);
      for (let index = entries.length - 1; index >= 0; index -= 1) open.push(entries[index]?.[1]);
      if (!Array.isArray(inner)) for (const [key] of entries) if (!FIELD.test(key)) onText(key);
    }
  }
}

function leafText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  const isNumber = typeof value === 'number' || typeof value === 'bigint' || value instanceof ExactNumber;
  return isNumber ? String(value) : undefined;
}

/** A field name is syntax, not data. */
const FIELD = /^[a-z_$@][a-z_$.:-]{0,31}$/i;
