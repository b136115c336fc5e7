import { ExactNumber } from './exact-number.ts';
import { isObject } from './json.ts';

/** `JSON.parse`, but a number that JavaScript would write differently becomes an `ExactNumber`. */
export function parseJson(text: string): unknown {
  if (!hasOddNumber(text)) return JSON.parse(text);
  return unmarked(JSON.parse(marked(text)));
}

/**
 * The same for a JSON-RPC message. Most answers hold no number but their id, which is equal to the one asked
 * with however it is spelled: what was read is looked through faster than the text.
 */
export function parseMessage(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isAnswerWithoutNumbers(value) || !hasOddNumber(text)) return value;
  return unmarked(JSON.parse(marked(text)));
}

function isAnswerWithoutNumbers(value: unknown): boolean {
  if (!isObject(value) || typeof value['id'] !== 'number' || value['method'] !== undefined) return false;
  const left = { looks: LOOKS_MAX };
  for (const key in value) if (key !== 'id' && mayHoldNumber(value[key], left)) return false;
  return true;
}

/** True also where there is too much to look at, or too deep. */
function mayHoldNumber(value: unknown, left: { looks: number }): boolean {
  if (typeof value === 'number') return true;
  if (typeof value !== 'object' || value === null) return false;
  left.looks -= 1;
  if (left.looks < 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (mayHoldNumber(item, left)) return true;
    return false;
  }
  for (const key in value) {
    // Any object can be read by its keys.
    if (mayHoldNumber((value as Record<string, unknown>)[key], left)) return true;
  }
  return false;
}

/** Objects and lists: in most answers there are a few. */
const LOOKS_MAX = 100;

/** Numbers of other than JavaScript's own spelling as strings, for a parser that is not ours. */
export function marked(text: string): string {
  let made = '';
  let copied = 0;
  let outside = 0;
  ODD_NUMBERS.lastIndex = 0;
  let found = ODD_NUMBERS.exec(text);
  while (found) {
    const start = found.index + found[0].length - (found[1] as string).length; // the group always matches
    const quote = text.indexOf('"', outside);
    if (quote !== -1 && quote < start) {
      outside = endOfString(text, quote);
      if (outside > start) {
        // It was inside a string.
        ODD_NUMBERS.lastIndex = outside;
        found = ODD_NUMBERS.exec(text);
      }
      continue;
    }
    const number = found[1] as string; // the group always matches
    if (String(Number(number)) !== number) {
      made += `${text.slice(copied, start)}"${mark()}${number}"`;
      copied = start + number.length;
    }
    found = ODD_NUMBERS.exec(text);
  }
  return made + text.slice(copied);
}

/** Puts exact numbers where `marked` put strings, in place. Neither the depth nor the width is bounded here. */
export function unmarked(value: unknown): unknown {
  const open: object[] = [];
  const prefix = mark();
  const read = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      return inner.startsWith(prefix) ? new ExactNumber(inner.slice(prefix.length)) : inner;
    }
    if (typeof inner === 'object' && inner !== null) open.push(inner);
    return inner;
  };
  const whole = read(value);
  for (let next = open.pop(); next; next = open.pop()) {
    const container = next as Record<string, unknown>; // arrays are read by their indexes
    for (const key of Object.keys(container)) {
      const inner = container[key];
      const exact = read(inner);
      if (exact !== inner) container[key] = exact;
    }
  }
  return whole;
}

/** Whether `marked` would change something; now and then true because of what is inside a string. */
export function hasOddNumber(text: string): boolean {
  return (HINT.test(text) || ROOT.test(text)) && ODD.test(text);
}

/** After the quote that ends the string; the end of the text, if none does. */
function endOfString(text: string, quote: number): number {
  let end = text.indexOf('"', quote + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}

const BACKSLASH = 0x5c;

/** No server can guess it, so none can pass a string off as a number. Drawn when the first one comes. */
let known: string | undefined;
function mark(): string {
  return (known ??= `number ${crypto.randomUUID()} `);
}

/**
 * A JSON number that is -0, or ends its fraction with a zero, or has an exponent, or so many digits that
 * JavaScript may not keep them all: up to 15 it always does. It stands where a value can stand.
 */
const NUMBER = /(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/;
const MAY_BE_ODD = /-0[^.]|-0$|-?\d+(?:\.\d*0(?!\d)|(?:\.\d+)?[eE])|-?[\d.]{16}/.source;
const PATTERN = `(?:^|[:,[])\\s*(?=${MAY_BE_ODD})${NUMBER.source}(?=\\s*(?:[,\\]}]|$))`;
const ODD = new RegExp(PATTERN);
/** Whatever the pattern finds, these find too, and sooner: the engine skips to the few places that can match. */
const HINT = new RegExp(`[:,[]\\s*(?:${MAY_BE_ODD})`);
const ROOT = /^\s*-?\d/;
const ODD_NUMBERS = new RegExp(PATTERN, 'g');
