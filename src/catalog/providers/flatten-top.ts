import { canonicalJson, isObject } from '../../base/json.ts';
import { followPointer } from '../schemas/positions.ts';

type Schema = Readonly<Record<string, unknown>>;

export interface Flattened {
  readonly schema: Schema;
  /** What the flat schema cannot say any more, in sentences. */
  readonly lost: readonly string[];
}

const BRANCHES = ['allOf', 'anyOf', 'oneOf'] as const;
const DEPTH_MAX = 8;
/** Branches of branches may multiply: so many are looked at. */
const BRANCHES_MAX = 500;
const SETS_SHOWN = 6;

/**
 * One plain object schema out of one that is composed at its top: every field of every branch can
 * be given, and what a branch asks for is told in words.
 */
export function flattenTop(top: Schema, root: Schema = top): Flattened {
  const composed = [...BRANCHES, '$ref', 'enum', 'const', 'not'].some((keyword) => keyword in top);
  if (!composed) return { schema: top, lost: [] };
  const lost: string[] = [];
  const { properties, required } = fieldsOf(top, { root, lost, left: BRANCHES_MAX }, 0);
  const { allOf: _all, anyOf: _any, oneOf: _one, $ref: _ref, enum: _enum, const: _const, not, ...rest } = top;
  if (not !== undefined) lost.push('Some combinations of arguments are not allowed.');
  return {
    schema: { ...rest, properties, ...(required.length === 0 ? {} : { required }) },
    lost,
  };
}

interface Fields {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

interface Walk {
  /** Where pointers start. */
  readonly root: Schema;
  readonly lost: string[];
  left: number;
}

function fieldsOf(schema: unknown, walk: Walk, depth: number): Fields {
  walk.left -= 1;
  if (!isObject(schema) || depth > DEPTH_MAX || walk.left < 0) return { properties: {}, required: [] };
  const own: Fields = {
    properties: isObject(schema['properties']) ? schema['properties'] : {},
    required: namesOf(schema['required']),
  };
  const whole: Fields[] = [own];
  const ref = schema['$ref'];
  if (typeof ref === 'string' && ref !== '#')
    whole.push(fieldsOf(followPointer(walk.root, ref), walk, depth + 1));
  for (const branch of listOf(schema['allOf'])) whole.push(fieldsOf(branch, walk, depth + 1));
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const branches = listOf(schema[keyword]).map((branch) => fieldsOf(branch, walk, depth + 1));
    if (branches.length > 0) whole.push(oneOfThese(branches, keyword, walk.lost));
  }
  return {
    properties: mergeFields(whole, 'allOf'),
    required: [...new Set(whole.flatMap((fields) => fields.required))],
  };
}

function oneOfThese(branches: readonly Fields[], keyword: 'anyOf' | 'oneOf', lost: string[]): Fields {
  const [first, ...others] = branches;
  const common = (first?.required ?? []).filter((name) =>
    others.every(({ required }) => required.includes(name)),
  );
  const sets = [
    ...new Set(
      branches.map(({ required }) => required.filter((name) => !common.includes(name)).join(' and ')),
    ),
  ];
  if (sets.length > 1) {
    const shown = sets.slice(0, SETS_SHOWN).map((set) => (set === '' ? 'none of these' : set));
    const more = sets.length > shown.length ? ', …' : '';
    lost.push(`Give ${keyword === 'oneOf' ? 'exactly' : 'at least'} one of: ${shown.join('; ')}${more}.`);
  }
  return { properties: mergeFields(branches, 'anyOf'), required: common };
}

/** A field that several branches describe differently may be, or must be, as all of them say. */
function mergeFields(all: readonly Fields[], how: 'anyOf' | 'allOf'): Readonly<Record<string, unknown>> {
  const merged = new Map<string, Map<string, unknown>>();
  for (const { properties } of all) {
    for (const [name, schema] of Object.entries(properties)) {
      const known = merged.get(name) ?? new Map<string, unknown>();
      merged.set(name, known.set(canonicalJson(schema), schema));
    }
  }
  return Object.fromEntries(
    [...merged].map(([name, schemas]) => {
      const [first, ...others] = schemas.values();
      return [name, others.length === 0 ? first : { [how]: [first, ...others] }];
    }),
  );
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function namesOf(value: unknown): readonly string[] {
  return listOf(value).filter((name) => typeof name === 'string');
}
