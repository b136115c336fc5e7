import { isObject } from '../../base/json.ts';
import type { Repairs } from './_repairs.ts';

/** Returned instead of a value: drop the keyword. */
export const DROP: unique symbol = Symbol('drop');

/** Returns the same value when it is fine. */
type MendValue = (value: unknown, repairs: Repairs) => unknown;

export const VALUE_KEYWORDS: ReadonlyMap<string, MendValue> = new Map<string, MendValue>([
  ['type', mendType],
  ['enum', mendEnum],
  ['pattern', mendPattern],
  ...each(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], mendCount),
  ...each(['minContains', 'maxContains'], mendCount),
  ...each(['minimum', 'maximum'], mendNumber),
  ['multipleOf', mendMultiple],
  ...each(['uniqueItems', 'readOnly', 'writeOnly', 'deprecated', 'nullable'], mendFlag),
  ...each(['title', 'description', '$comment', 'format', 'contentEncoding', 'contentMediaType'], mendText),
  ['examples', mendExamples],
  ['dependentRequired', mendDependentRequired],
]);

function each(keywords: readonly string[], mend: MendValue): [string, MendValue][] {
  return keywords.map((keyword) => [keyword, mend]);
}

function mendType(value: unknown, repairs: Repairs): unknown {
  if (typeof value === 'string') {
    if (TYPES.has(value)) return value;
    const named = typeNamed(value);
    if (named === undefined || named === 'any') {
      repairs.add(`is no type (${quoted(value)}): any value is taken`);
      return DROP;
    }
    repairs.add(`was read as ${named} (${quoted(value)})`);
    return named;
  }
  if (!Array.isArray(value)) {
    repairs.add('is no type: any value is taken');
    return DROP;
  }
  const names = value.map((name) => (typeof name === 'string' ? typeNamed(name) : undefined));
  const fine = names.every(
    (name, index) => name !== 'any' && name === value[index] && names.indexOf(name) === index,
  );
  if (fine && names.length > 0) return value;
  const kept = [...new Set(names.filter((name) => name !== undefined))];
  if (kept.length === 0 || kept.includes('any')) {
    repairs.add('names no type: any value is taken');
    return DROP;
  }
  repairs.add('listed unknown or repeated types, which were left out');
  return kept;
}

function mendEnum(value: unknown, repairs: Repairs): unknown {
  if (!Array.isArray(value) || value.length === 0) {
    repairs.add('is no list of values and was left out');
    return DROP;
  }
  const seen = new Set<unknown>();
  const kept = value.filter((each) => {
    const key = typeof each === 'object' ? `json:${JSON.stringify(each)}` : each;
    return seen.has(key) ? false : seen.add(key);
  });
  if (kept.length === value.length) return value;
  repairs.add('named the same value more than once');
  return kept;
}

/** Only compiled, never run: a hostile pattern costs nothing (security case E11). */
function mendPattern(value: unknown, repairs: Repairs): unknown {
  if (typeof value === 'string' && isPattern(value)) return value;
  repairs.add('is no regular expression of JSON Schema and was left out');
  return DROP;
}

export function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function mendCount(value: unknown, repairs: Repairs): unknown {
  return wanted(value, (number) => Number.isInteger(number) && number >= 0, repairs);
}

function mendNumber(value: unknown, repairs: Repairs): unknown {
  return wanted(value, Number.isFinite, repairs);
}

function mendMultiple(value: unknown, repairs: Repairs): unknown {
  return wanted(value, (number) => Number.isFinite(number) && number > 0, repairs);
}

function wanted(value: unknown, isFine: (number: number) => boolean, repairs: Repairs): unknown {
  if (typeof value === 'number' && isFine(value)) return value;
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (isFine(read)) {
    repairs.add(`was read as the number ${read}`);
    return read;
  }
  repairs.add('is no fitting number and was left out');
  return DROP;
}

function mendFlag(value: unknown, repairs: Repairs): unknown {
  if (typeof value === 'boolean') return value;
  repairs.add('is neither true nor false and was left out');
  return DROP;
}

function mendText(value: unknown, repairs: Repairs): unknown {
  if (typeof value === 'string') return value;
  repairs.add('is no text and was left out');
  return DROP;
}

function mendExamples(value: unknown, repairs: Repairs): unknown {
  if (Array.isArray(value)) return value;
  repairs.add('is one example instead of a list');
  return [value];
}

function mendDependentRequired(value: unknown, repairs: Repairs): unknown {
  if (isObject(value) && Object.values(value).every(isNameList)) return value;
  repairs.add('is no table of names and was left out');
  return DROP;
}

export function isNameList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === 'string') &&
    (value.length < 2 || new Set(value).size === value.length)
  );
}

function quoted(text: string): string {
  return `“${text.slice(0, 40).replaceAll(/[\p{C}“”]/gu, '�')}”`;
}

const TYPES: ReadonlySet<string> = new Set([
  'array',
  'boolean',
  'integer',
  'null',
  'number',
  'object',
  'string',
]);

/** Names from other languages; undefined: anything. */
const FOREIGN: ReadonlyMap<string, string | undefined> = new Map([
  ['any', undefined],
  ['unknown', undefined],
  ['mixed', undefined],
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['set', 'array'],
  ['none', 'null'],
  ['nil', 'null'],
]);

/** `any` for no particular type, undefined if unknown. */
export function typeNamed(name: string): string | undefined {
  if (TYPES.has(name)) return name;
  const lower = name.toLowerCase();
  if (TYPES.has(lower)) return lower;
  return FOREIGN.has(lower) ? (FOREIGN.get(lower) ?? 'any') : undefined;
}

export function isOfType(value: unknown, types: string | readonly unknown[]): boolean {
  return typeof types === 'string' ? isOf(value, types) : types.some((type) => isOf(value, type));
}

function isOf(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
