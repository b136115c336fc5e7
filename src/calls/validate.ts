import { createRequire } from 'node:module';
import { withPlainNumbers } from '../base/exact-number.ts';
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv';
import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import type { Tool } from '../catalog/tool.ts';

/** Ajv is large: a hub that only lists never loads it. */
const load = createRequire(import.meta.url);

/**
 * Patterns are left to the server: hostile ones must not run here (security case E11). A schema that can't be
 * compiled, or is too costly, checks nothing: the tool stays usable.
 */
export class ArgumentCheck {
  readonly #limits: Limits;
  readonly #compiled = new WeakMap<object, Compiled | 'unusable'>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  assertFit(tool: Tool, args: JsonObject): void {
    const problem = this.problem(schemaOf(tool), args);
    if (problem) throw badArguments(tool.ref, problem);
  }

  problem(schema: unknown, args: JsonObject): ArgumentProblem | undefined {
    if (!isObject(schema)) return undefined;
    const compiled = this.#compiled.get(schema) ?? this.#compile(schema);
    this.#compiled.set(schema, compiled);
    if (compiled === 'unusable' || !isAffordable(compiled.weight, args)) return undefined;
    const { validate } = compiled;
    if (validate(args)) return undefined;
    // Numbers that JavaScript cannot keep are rare: they are looked for only when something does not fit.
    const plain = withPlainNumbers(args, (exact) => exact.nearest);
    if (plain !== args && validate(plain)) return undefined;
    const error = validate.errors?.[0];
    // Models write null for omitted options; the server decides.
    if (validate(withoutNulls(schema, plain))) return undefined;
    return error ? describe(error) : { field: '', message: 'The arguments do not fit.' };
  }

  #compile(schema: object): Compiled | 'unusable' {
    try {
      if (JSON.stringify(schema).length > this.#limits.checkedSchemaBytesMax) return 'unusable';
      const weight = weighSchema(schema);
      if (weight.parts === Infinity) return 'unusable';
      const dialect = '$schema' in schema ? schema.$schema : undefined;
      const old = typeof dialect === 'string' && dialect.includes('draft-07');
      return { validate: (old ? draft7 : draft2020).compile(schema), weight };
    } catch {
      return 'unusable'; // the server's schema is its own affair; the server still checks
    }
  }
}

/**
 * Compiles schemas of one dialect, for all hubs of a process: Ajv compiles the dialect's own schema first,
 * which takes longer than all that follow. It caches by `$id`, where equal ids would clash, and keeps a
 * little of each schema for good, so that a new one follows in time.
 */
class Dialect {
  readonly #open: () => Ajv;
  #ajv: Ajv | undefined;
  #compiled = 0;

  constructor(open: () => Ajv) {
    this.#open = open;
  }

  compile(schema: object): ValidateFunction {
    if (this.#compiled >= SCHEMAS_OF_ONE_MAX) this.#ajv = undefined;
    if (!this.#ajv) this.#compiled = 0;
    const ajv = (this.#ajv ??= withoutPatterns(this.#open()));
    this.#compiled += 1;
    try {
      return ajv.compile(schema);
    } finally {
      ajv.removeSchema();
    }
  }
}

const SCHEMAS_OF_ONE_MAX = 1_000;
const AJV_OPTIONS = { strict: false, logger: false, validateFormats: false } as const;

const draft7 = new Dialect(() => {
  const { Ajv } = load('ajv') as typeof import('ajv'); // the module of that name
  return new Ajv(AJV_OPTIONS);
});

const draft2020 = new Dialect(() => {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js'); // likewise
  return new Ajv2020(AJV_OPTIONS);
});

export function schemaOf({ schema, definition }: Tool): unknown {
  return schema ?? definition['inputSchema'];
}

interface Compiled {
  readonly validate: ValidateFunction;
  readonly weight: SchemaWeight;
}

export interface ArgumentProblem {
  readonly field: string;
  readonly message: string;
}

export function badArguments(tool: string, problem: ArgumentProblem): PlugError {
  const where = problem.field === '' ? '' : ` “${problem.field}”`;
  return new PlugError('bad_arguments', `The argument${where} of ${tool} is wrong: ${problem.message}.`, {
    owner: 'you',
    remedy: { do: 'list-tools', server: tool.split('/')[0] ?? '', schemas: true },
    details: { field: problem.field },
  });
}

function withoutNulls(schema: Readonly<Record<string, unknown>>, args: JsonObject): JsonObject {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== null || required.includes(name)),
  );
}

function withoutPatterns(ajv: Ajv): Ajv {
  ajv.removeKeyword('pattern');
  ajv.removeKeyword('patternProperties');
  return ajv;
}

function describe(error: ErrorObject): ArgumentProblem {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const inside = (name: unknown): string => [path, String(name)].filter((part) => part !== '').join('.');
  switch (error.keyword) {
    case 'required':
      return { field: inside(error.params['missingProperty']), message: 'it is required' };
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return {
        field: inside(error.params['additionalProperty'] ?? error.params['unevaluatedProperty']),
        message: 'the tool does not know it',
      };
    case 'enum':
      return { field: path, message: `it must be one of ${JSON.stringify(error.params['allowedValues'])}` };
    default:
      return { field: path, message: `it ${error.message ?? 'does not fit the schema'}` };
  }
}

export interface SchemaWeight {
  /** Parts looked at for one value, counted once per reference. */
  readonly parts: number;
  /** References back to an ancestor: each level of a value may multiply by these. */
  readonly returns: number;
}

/** Twenty parts that each refer twice to the next make a million checks; unknown references are endless. */
export function weighSchema(schema: object): SchemaWeight {
  const known = new Map<object, SchemaWeight>();
  const open = new Set<object>();

  const weigh = (node: unknown): SchemaWeight => {
    if (typeof node !== 'object' || node === null) return NOTHING;
    const before = known.get(node);
    if (before) return before;
    if (open.has(node)) return RETURN;
    open.add(node);
    let { parts, returns } = ONE;
    for (const [key, value] of Object.entries(node)) {
      const isReference = (key === '$ref' || key === '$dynamicRef') && typeof value === 'string';
      const inside = isReference ? weigh(target(schema, value) ?? UNKNOWN) : weigh(value);
      parts += inside.parts;
      returns += inside.returns;
    }
    open.delete(node);
    const weight = node === UNKNOWN ? ENDLESS : { parts, returns };
    known.set(node, weight);
    return weight;
  };
  return weigh(schema);
}

export function isAffordable({ parts, returns }: SchemaWeight, args: unknown): boolean {
  // Nearly every real schema ends here.
  if (parts <= PARTS_FREE && returns <= 1) return true;
  const { values, depth } = measure(args);
  return parts * values * (returns > 1 ? returns ** depth : 1) <= WORK_MAX;
}

const PARTS_FREE = 1_000;
/** Parts checked: some tens of milliseconds. */
const WORK_MAX = 1_000_000;

const NOTHING: SchemaWeight = { parts: 0, returns: 0 };
const ONE: SchemaWeight = { parts: 1, returns: 0 };
const RETURN: SchemaWeight = { parts: 1, returns: 1 };
const ENDLESS: SchemaWeight = { parts: Infinity, returns: 0 };
const UNKNOWN: object = {};

/** Only references inside the document are followed. */
function target(schema: object, reference: string): object | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let node: unknown = schema;
  for (const step of reference.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    node = (node as Readonly<Record<string, unknown>>)[name];
  }
  return typeof node === 'object' && node !== null ? node : EMPTY;
}

/** `true` and `false` are schemas too, and weigh nothing. */
const EMPTY: object = Object.freeze({ empty: true });

function measure(value: unknown): { readonly values: number; readonly depth: number } {
  const inside: readonly unknown[] = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.values(value)
      : [];
  let [values, depth] = [1, 0];
  for (const each of inside) {
    const found = measure(each);
    values += found.values;
    depth = Math.max(depth, found.depth + 1);
  }
  return { values, depth };
}
