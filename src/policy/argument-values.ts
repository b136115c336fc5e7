import type { JsonObject } from '../base/json.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { Undecidable } from './undecidable.ts';

/**
 * What stands at a dotted path. A `*` is every element of a list or every field of an object; a
 * number is the place in a list. A field whose own name has dots is found too. Only own fields
 * count, so that a path such as `constructor.name` finds nothing.
 */
export function valuesAt(args: JsonObject, path: string): readonly unknown[] {
  // Most paths are one name, and this is on the way of every call.
  if (!path.includes('.') && path !== '*') return Object.hasOwn(args, path) ? [args[path]] : [];
  const found: unknown[] = [];
  collect(args, path.split('.'), found);
  return found;
}

/** The text of a plain value. A list or an object has none. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value === null ? 'null' : undefined;
}

/** Whoever permits must know exactly what: every value is plain text, and every one fits. */
export function allFit(values: readonly unknown[], test: (text: string) => boolean): boolean {
  return (
    values.length > 0 &&
    values.every((value) => {
      const text = textOf(value);
      return text !== undefined && text.length <= limits.ruleTextCharsMax && test(text);
    })
  );
}

/** Whoever forbids looks everywhere: into lists and objects, and at their JSON as a whole. */
export function anyFits(values: readonly unknown[], test: (text: string) => boolean): boolean {
  return values.some((value) => {
    const text = textOf(value);
    if (text !== undefined) return test(bounded(text));
    if (value === undefined) return false;
    return leavesOf(value).some((leaf) => test(bounded(leaf))) || test(bounded(JSON.stringify(value)));
  });
}

function collect(value: unknown, path: readonly string[], found: unknown[]): void {
  const [head, ...rest] = path;
  if (head === undefined) {
    if (found.length >= limits.ruleValuesMax) throw new Undecidable('The arguments hold too many values.');
    found.push(value);
  } else if (Array.isArray(value)) {
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

/** With a list of what is left to do instead of recursion: a nest of brackets cannot end us. */
function leavesOf(value: unknown): readonly string[] {
  const leaves: string[] = [];
  const left: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  let seen = 0;
  for (let next = left.pop(); next; next = left.pop()) {
    seen += 1;
    if (seen > limits.ruleValuesMax || next.depth > limits.ruleDepthMax) {
      throw new Undecidable('The arguments are too large or too deep for a rule to judge.');
    }
    const text = textOf(next.value);
    if (text !== undefined) leaves.push(text);
    else if (typeof next.value === 'object' && next.value !== null) {
      for (const each of Object.values(next.value)) left.push({ value: each, depth: next.depth + 1 });
    }
  }
  return leaves;
}

function bounded(text: string): string {
  if (text.length <= limits.ruleTextCharsMax) return text;
  throw new Undecidable(
    `An argument is longer than the ${limits.ruleTextCharsMax} characters that a rule can judge.`,
  );
}
