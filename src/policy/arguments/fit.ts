import { ExactNumber } from '../../base/exact-number.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { equalTexts, isPlain } from './equal-texts.ts';

/** To permit: every value at the path is plain text and fits, and no other key could be meant. */
export function permits(args: JsonObject, path: string, test: (text: string) => boolean): boolean {
  const values = valuesAt(args, path);
  if (values.length === 0) return false;
  const fit = values.every((value) => {
    const texts = scalarTexts(value);
    return (
      texts !== undefined &&
      texts.every((text) => text.length <= limits.ruleTextCharsMax && test(text) && isPlain(text))
    );
  });
  // Another key beside it could be taken for a key of this path.
  return fit && !(isOneName(path) ? twinIn(args, [path], 1) : twinBelow(args, path.split('.')));
}

/** To forbid: looks at every key that may be meant, into lists and objects, and at every spelling. */
export function touches(args: JsonObject, path: string, test: (text: string) => boolean): boolean {
  return valuesNear(args, path).some((value) => {
    if (value === undefined) return false;
    const texts = scalarTexts(value);
    if (texts) return texts.some((text) => fitsEqual(text, test));
    return leavesOf(value).some((leaf) => fitsEqual(leaf, test)) || test(bounded(JSON.stringify(value)));
  });
}

function fitsEqual(text: string, test: (text: string) => boolean): boolean {
  return equalTexts(bounded(text)).some(test);
}

/** Usually one; of a number in another spelling than JavaScript's, all that a server may take it for. */
function scalarTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)];
  if (value instanceof ExactNumber) return [value.source, value.canonical, String(Number(value.source))];
  return value === null ? ['null'] : undefined;
}

/** Includes keys. Iterative: nesting can't overflow the stack. */
function leavesOf(value: unknown): readonly string[] {
  const leaves: string[] = [];
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let seen = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    seen += 1;
    if (seen > limits.ruleValuesMax || next.depth > limits.ruleDepthMax) {
      throw new Undecidable('The arguments are too large or too deep for a rule to judge.');
    }
    const texts = scalarTexts(next.value);
    if (texts) leaves.push(...texts);
    else if (typeof next.value === 'object' && next.value !== null) {
      if (!Array.isArray(next.value)) leaves.push(...Object.keys(next.value));
      for (const each of Object.values(next.value)) left.push({ value: each, depth: next.depth + 1 });
    }
  }
  return leaves;
}

function bounded(text: string): string {
  if (text.length <= limits.ruleTextCharsMax) return text;
  const most = limits.ruleTextCharsMax;
  throw new Undecidable(`An argument is longer than the ${most} characters that a rule can judge.`);
}

/** `*` is every element or field, a number an index. Keys with dots are found too; only own fields count. */
function valuesAt(args: JsonObject, path: string): readonly unknown[] {
  // Most paths are one name, and every call comes here.
  if (isOneName(path)) return Object.hasOwn(args, path) ? [args[path]] : [];
  const found: unknown[] = [];
  collect(args, path.split('.'), found);
  return found;
}

/** Also what a server may take for it: other spellings of a key, a list instead of one value. */
function valuesNear(args: JsonObject, path: string): readonly unknown[] {
  const found: unknown[] = [];
  collectNear(args, path.split('.').map(foldKey), found);
  return found;
}

function isOneName(path: string): boolean {
  return !path.includes('.') && path !== '*';
}

function collect(value: unknown, path: readonly string[], found: unknown[]): void {
  const [head, ...rest] = path;
  if (head === undefined) keep(value, found);
  else if (Array.isArray(value)) {
    if (head === '*') for (const each of value) collect(each, rest, found);
    else if (/^\d+$/.test(head) && Object.hasOwn(value, head)) collect(value[Number(head)], rest, found);
  } else if (isObject(value)) {
    if (head === '*') for (const each of Object.values(value)) collect(each, rest, found);
    for (let count = 1; count <= path.length; count += 1) {
      const name = path.slice(0, count).join('.');
      if (Object.hasOwn(value, name) && (head !== '*' || count > 1)) {
        collect(value[name], path.slice(count), found);
      }
    }
  }
}

/** `path` is folded. */
function collectNear(value: unknown, path: readonly string[], found: unknown[]): void {
  const [head, ...rest] = path;
  if (head === undefined || typeof value === 'string') {
    // May be an object as JSON text.
    keep(value, found);
  } else if (Array.isArray(value)) {
    const isPlace = head === '*' || /^\d+$/.test(head);
    for (const each of value) collectNear(each, isPlace ? rest : path, found);
  } else if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const folded = foldKey(key);
      for (let count = 1; count <= path.length; count += 1) {
        if ((count === 1 && head === '*') || folded === path.slice(0, count).join('.')) {
          collectNear(inner, path.slice(count), found);
        }
      }
    }
  }
}

function keep(value: unknown, found: unknown[]): void {
  if (found.length >= limits.ruleValuesMax) throw new Undecidable('The arguments hold too many values.');
  found.push(value);
}

function twinBelow(value: unknown, path: readonly string[]): boolean {
  const [head, ...rest] = path;
  if (head === undefined) return false;
  if (Array.isArray(value)) return value.some((each) => twinBelow(each, rest));
  if (!isObject(value)) return false;
  if (head === '*') return Object.values(value).some((each) => twinBelow(each, rest));
  if (twinIn(value, path, path.length)) return true;
  return path.some((_, index) => {
    const name = path.slice(0, index + 1).join('.');
    return Object.hasOwn(value, name) && twinBelow(value[name], path.slice(index + 1));
  });
}

/** `names`: how many parts of the path may be one key with dots. */
function twinIn(value: Readonly<Record<string, unknown>>, path: readonly string[], names: number): boolean {
  const keys = Object.keys(value);
  for (let count = 1; count <= names; count += 1) {
    const name = count === 1 ? (path[0] ?? '') : path.slice(0, count).join('.');
    const folded = foldKey(name);
    for (const key of keys) if (key !== name && foldKey(key) === folded) return true;
  }
  return false;
}

/** Many programs read `PATH`, `pa_th` or a wide `ｐath` as `path`: which one counts is unknown. */
function foldKey(key: string): string {
  if (PLAIN.test(key)) return key;
  return key.normalize('NFKC').toUpperCase().toLowerCase().replaceAll(BETWEEN, '');
}

const PLAIN = /^[a-z0-9.]*$/;
const BETWEEN = /[\p{C}\p{Z}_-]/gu;

/** `decide` turns it into a denial. */
export class Undecidable extends Error {
  override readonly name = 'Undecidable';
}
