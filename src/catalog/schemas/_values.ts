import { isObject } from '../../base/json.ts';
import { wordSet } from '../word-set.ts';
import type { Repairs } from './_repairs.ts';

type MendValue = (value: unknown, repairs: Repairs) => unknown;

export const VALUE_KEYWORDS: ReadonlyMap<string, MendValue> = new Map<string, MendValue>([
  ['type', mendType],
  ['enum', mendEnum],
  // Only compiled, never run: a hostile pattern costs nothing (security case E11).
  ['pattern', keepIf(isPattern, 'is no regular expression of JSON Schema and was left out')],
  ...each(
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
    numberThat((number) => Number.isInteger(number) && number >= 0),
  ),
  ...each('minimum maximum', numberThat(Number.isFinite)),
  ...each(
    'multipleOf',
    numberThat((number) => Number.isFinite(number) && number > 0),
  ),
  ...each(
    'uniqueItems readOnly writeOnly deprecated nullable',
    keepIf((value) => typeof value === 'boolean', 'is neither true nor false and was left out'),
  ),
  ...each(
    'title description $comment format contentEncoding contentMediaType',
    keepIf((value) => typeof value === 'string', 'is no text and was left out'),
  ),
  ['examples', mendExamples],
  ['dependentRequired', keepIf(isNameTable, 'is no table of names and was left out')],
]);

function each(keywords: string, mend: MendValue): [string, MendValue][] {
  return keywords.split(' ').map((keyword) => [keyword, mend]);
}

function keepIf(isFine: (value: unknown) => boolean, why: string): MendValue {
  return (value, repairs) => (isFine(value) ? value : repairs.drop(why));
}

function numberThat(isFine: (number: number) => boolean): MendValue {
  return (value, repairs) => {
    if (typeof value === 'number' && isFine(value)) return value;
    const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
    if (!isFine(read)) return repairs.drop('is no fitting number and was left out');
    repairs.add(`was read as the number ${read}`);
    return read;
  };
}

function mendType(value: unknown, repairs: Repairs): unknown {
  if (typeof value === 'string') {
    if (TYPES.has(value)) return value;
    const named = typeNamed(value);
    const shown = `“${value.slice(0, 40).replaceAll(/[\p{C}“”]/gu, '�')}”`;
    if (named === undefined || named === 'any') {
      return repairs.drop(`is no type (${shown}): any value is taken`);
    }
    repairs.add(`was read as ${named} (${shown})`);
    return named;
  }
  if (!Array.isArray(value)) return repairs.drop('is no type: any value is taken');
  const names = value.map((name) => (typeof name === 'string' ? typeNamed(name) : undefined));
  const fine = names.every(
    (name, index) => name !== 'any' && name === value[index] && names.indexOf(name) === index,
  );
  if (fine && names.length > 0) return value;
  const kept = [...new Set(names.filter((name) => name !== undefined))];
  if (kept.length === 0 || kept.includes('any')) {
    return repairs.drop('names no type: any value is taken');
  }
  repairs.add('listed unknown or repeated types, which were left out');
  return kept;
}

function mendEnum(value: unknown, repairs: Repairs): unknown {
  if (!Array.isArray(value) || value.length === 0) {
    return repairs.drop('isn’t a list of values and was left out');
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

export function isPattern(text: unknown): boolean {
  try {
    return typeof text === 'string' && new RegExp(text, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function mendExamples(value: unknown, repairs: Repairs): unknown {
  if (Array.isArray(value)) return value;
  repairs.add('is one example instead of a list');
  return [value];
}

function isNameTable(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isNameList);
}

export function isNameList(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.every((name) => typeof name === 'string') &&
    (value.length < 2 || new Set(value).size === value.length)
  );
}

const TYPES = wordSet('array boolean integer null number object string');

const FOREIGN: Readonly<Record<string, ReadonlySet<string>>> = {
  any: wordSet('any unknown mixed'),
  string: wordSet('str text'),
  integer: wordSet('int long'),
  number: wordSet('float double decimal'),
  boolean: wordSet('bool'),
  object: wordSet('dict map'),
  array: wordSet('list tuple set'),
  null: wordSet('none nil'),
};

/** `any` for no particular type, undefined if unknown. */
export function typeNamed(name: string): string | undefined {
  if (TYPES.has(name)) return name;
  const lower = name.toLowerCase();
  if (TYPES.has(lower)) return lower;
  return Object.keys(FOREIGN).find((type) => FOREIGN[type]?.has(lower));
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
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}
