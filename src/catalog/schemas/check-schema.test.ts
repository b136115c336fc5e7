import { Ajv, type AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { limits } from '../../base/limits.ts';
import { checkSchema, type SchemaCheck } from './check-schema.ts';

const check = (raw: unknown): SchemaCheck => checkSchema(raw, limits);

/** The schema after mending; fails if the tool was set aside. */
function mended(raw: unknown): Record<string, unknown> {
  const outcome = check(raw);
  if (!outcome.ok) throw new Error(outcome.reason);
  compile(outcome.schema);
  return outcome.schema;
}

function repairsOf(raw: unknown): readonly string[] {
  const outcome = check(raw);
  return outcome.ok ? (outcome.repairs ?? []) : [outcome.reason];
}

const options = { strict: false, logger: false, validateFormats: false } as const;
const draft7 = new Ajv(options);
const draft2020 = new Ajv2020(options);

/** Compiles as an argument check would, patterns included; throws when the schema is unusable. */
function compile(schema: AnySchema): (value: unknown) => unknown {
  const dialect = typeof schema === 'object' ? String(schema['$schema']) : '';
  const ajv = dialect.includes('draft-07') ? draft7 : draft2020;
  try {
    return ajv.compile(schema);
  } finally {
    ajv.removeSchema(schema);
  }
}

const field = (schema: unknown): unknown => {
  const properties = mended({ type: 'object', properties: { x: schema } })['properties'];
  return (properties as { x: unknown }).x;
};

verifies(['T5'], 'a clean schema is returned as the very same object', () => {
  for (const schema of [
    { type: 'object' },
    { type: 'object', properties: { a: { type: 'string', default: 'x' } }, required: ['a'] },
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { items: [{ type: 'string' }] } },
    },
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', additionalProperties: false },
    {
      type: 'object',
      properties: { a: { $ref: '#/$defs/A' } },
      $defs: { A: { type: 'array', items: { $ref: '#/$defs/A' } } },
    },
    { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }], properties: { a: {}, b: {} } },
    {
      type: 'object',
      properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null } },
      'x-vendor': [1],
    },
  ]) {
    expect(check(schema)).toEqual({ ok: true, schema });
    expect(mended(schema)).toBe(schema);
  }
});

verifies(['T5'], 'what real servers send wrong at the top is mended, and said', () => {
  const empty = { type: 'object', properties: {} };
  for (const raw of [undefined, null, [], true]) {
    expect(mended(raw)).toEqual(empty);
    expect(repairsOf(raw)).toEqual(['The schema was missing: the tool is offered without arguments.']);
  }
  expect(mended({ properties: { a: {} } })).toEqual({ type: 'object', properties: { a: {} } });
  expect(mended({ type: 'object', properties: [] })).toEqual(empty);
  expect(mended({ type: 'object', properties: null })).toEqual(empty);
  expect(mended({ type: ['object', 'null'], properties: {} })).toEqual(empty);
  expect(mended({ type: 'OBJECT', properties: {} })).toEqual(empty);
  expect(mended({ city: { type: 'string' }, type: { type: 'str' } })).toEqual({
    type: 'object',
    properties: { city: { type: 'string' }, type: { type: 'string' } },
  });
  expect(
    mended({ type: 'object', properties: [{ name: 'a', type: 'int', required: true }] })['properties'],
  ).toEqual({
    a: { type: 'integer' },
  });
  expect(mended({ $schema: 'https://example.com/own', type: 'object' })).toEqual({ type: 'object' });
  expect(mended({ $schema: 'https://json-schema.org/draft-07/schema', type: 'object' })).toEqual({
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
  });
});

verifies(['T5'], 'what real servers send wrong in a field is mended, and said', () => {
  expect(field({ type: 'any' })).toEqual({});
  expect(field({ type: ['any'] })).toEqual({});
  expect(field({ type: ['string', 'any'] })).toEqual({});
  expect(field({ type: ['string', 'str', 'null', 'none'] })).toEqual({ type: ['string', 'null'] });
  expect(field(true)).toEqual({});
  expect(field('string')).toEqual({ type: 'string' });
  expect(field(null)).toEqual({});
  expect(field({ type: 'number', minimum: 0, exclusiveMinimum: true })).toEqual({
    type: 'number',
    exclusiveMinimum: 0,
  });
  expect(field({ type: 'number', maximum: 9, exclusiveMaximum: false })).toEqual({
    type: 'number',
    maximum: 9,
  });
  expect(field({ enum: ['a', 'b', 'a'] })).toEqual({ enum: ['a', 'b'] });
  expect(field({ enum: [] })).toEqual({});
  expect(field({ type: 'string', pattern: '(?i)abc' })).toEqual({ type: 'string' });
  expect(field({ type: 'string', minLength: '3', maxLength: -1 })).toEqual({ type: 'string', minLength: 3 });
  expect(field({ type: 'integer', default: 'ten' })).toEqual({ type: 'integer' });
  expect(field({ nullable: true, description: null })).toEqual({});
  expect(field({ type: 'array', items: [{ type: 'string' }], additionalItems: false })).toEqual({
    type: 'array',
    prefixItems: [{ type: 'string' }],
    items: false,
  });
  expect(field({ anyOf: [] })).toEqual({});
  expect(field({ id: 'https://example.com/a', type: 'string' })).toEqual({ type: 'string' });
  expect(repairsOf({ type: 'object', properties: { x: { type: 'string', pattern: '(' } } })).toEqual([
    '“properties.x.pattern” is no regular expression of JSON Schema and was left out.',
  ]);
});

verifies(['T5'], 'required fields are names of fields that exist', () => {
  const properties = { a: { type: 'string' } };
  expect(mended({ type: 'object', properties, required: ['a', 'b', 'a'] })['required']).toEqual(['a']);
  expect(mended({ type: 'object', properties, required: true })).toEqual({ type: 'object', properties });
  expect(mended({ type: 'object', properties, required: 'a' })['required']).toEqual(['a']);
  expect(mended({ type: 'object', properties: { a: { type: 'string', required: true } } })).toEqual({
    type: 'object',
    properties,
    required: ['a'],
  });
  // Fields that another keyword knows are left alone.
  const open = { type: 'object', properties, additionalProperties: true, required: ['b'] };
  expect(mended(open)).toBe(open);
});

verifies(['T5', 'attack:E10'], 'a reference is never fetched, and none leads nowhere or in a circle', () => {
  expect(field({ $ref: 'https://example.com/schema.json', description: 'd' })).toEqual({ description: 'd' });
  expect(field({ $ref: 'file:///etc/passwd' })).toEqual({});
  expect(field({ $ref: '#/$defs/Missing' })).toEqual({});
  expect(field({ $ref: '#/required' })).toEqual({});
  expect(field({ $ref: '#/properties' })).toEqual({});
  expect(field({ $ref: '#/%zz' })).toEqual({});
  expect(field({ $ref: '#/properties/x' })).toEqual({});
  const circle = mended({
    type: 'object',
    properties: { a: { $ref: '#/$defs/A' } },
    $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }] } },
  });
  expect(compile(circle)({ a: 1 })).toBe(true);
  const own = { type: 'object', $ref: '#', properties: { a: { type: 'string' } } };
  expect(compile(mended(own))({ a: 1 })).toBe(false);
  // A tree of itself is an honest schema.
  const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
  expect(mended(tree)).toBe(tree);
});

verifies(['T5'], 'what cannot be mended is set aside with its reason', () => {
  const reason = (raw: unknown): string => {
    const outcome = check(raw);
    return outcome.ok ? 'ok' : outcome.reason;
  };
  expect(reason('string')).toBe('The schema is not an object.');
  expect(reason(false)).toBe('The schema accepts no arguments at all, not even none.');
  expect(reason({ type: 'string' })).toBe(
    'The schema describes "string", and arguments are always an object.',
  );
  let deep: unknown = { type: 'string' };
  for (let level = 0; level < 10_000; level += 1) deep = { type: 'object', properties: { a: deep } };
  expect(reason(deep)).toMatch(/more than 64 levels deep/);
  const wide = Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`f${index}`, {}]));
  expect(reason({ type: 'object', properties: wide })).toMatch(/too large/);
  expect(reason({ type: 'object', description: 'x'.repeat(300_000) })).toMatch(/too large/);
  expect(reason({ type: 'object', $comment: ['x'.repeat(300_000)] })).toMatch(/too large/);
  const circular: Record<string, unknown> = { type: 'object' };
  circular['not'] = circular;
  expect(reason(circular)).toMatch(/levels deep/);
  const throwing = Object.defineProperty({}, 'type', {
    enumerable: true,
    get: () => {
      throw new Error('no');
    },
  });
  expect(reason(throwing)).toBe('The schema could not be read.');
});

test('a field called __proto__ does not touch any prototype', () => {
  const schema = mended(
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"any"},"a":{"type":"any"}}}'),
  );
  expect(Object.keys(schema['properties'] as object)).toEqual(['a']);
  expect(({} as Record<string, unknown>)['type']).toBeUndefined();
});

test('the repairs that are told are bounded, and control characters do not get through', () => {
  const bad = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`f${index}\u0007`, { type: 'any' }]),
  );
  const repairs = repairsOf({ type: 'object', properties: bad });
  expect(repairs).toHaveLength(limits.schemaRepairsShown + 1);
  expect(repairs.at(-1)).toBe('80 more repairs were made.');
  expect(repairs.join('')).not.toContain('\u0007');
});

const KEYWORDS =
  `type properties required items prefixItems additionalItems additionalProperties anyOf allOf oneOf not if then else
  enum const pattern patternProperties format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength
  minItems maxItems minProperties maxProperties uniqueItems contains minContains maxContains propertyNames dependencies
  dependentRequired dependentSchemas default examples title description nullable readOnly $ref $defs definitions $id id $anchor
  $schema $dynamicRef $dynamicAnchor $recursiveRef $recursiveAnchor $vocabulary $comment components unevaluatedProperties
  unevaluatedItems contentSchema contentEncoding discriminator x-extra __proto__`
    .trim()
    .split(/\s+/);
const VALUES = [
  'string',
  'object',
  'any',
  'dict',
  'null',
  '#',
  '#/properties/a',
  '#/$defs/a',
  '#/definitions/a',
  '#a',
  '#/items/0',
  '#/x-extra',
  '#/properties',
  '#/%zz',
  'https://example.com/x',
  'a',
  '(',
  '^a+$',
  '\\_',
  '3',
  '',
  true,
  false,
  null,
  0,
  -1,
  1.5,
  3,
];
const { schema: anySchema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(...VALUES),
    fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 5 }),
    fc.dictionary(
      fc.constantFrom('a', 'b', '', '(', '__proto__', 'type', 'schemas', 'constructor'),
      tie('schema'),
      { maxKeys: 3 },
    ),
  ),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(...VALUES),
    tie('schema'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '('), tie('schema'), { maxKeys: 3 }),
  ),
}));

verifies(
  ['T5'],
  'whatever a server sends as a schema, nothing throws, and what is offered can be compiled and used',
  () => {
    const hold = (raw: unknown): void => {
      const outcome = check(raw);
      if (!outcome.ok) {
        expect(outcome.reason).toMatch(/^[^]+\.$/);
        return;
      }
      expect(() => compile(outcome.schema)({ a: { a: [1] }, b: 'x' })).not.toThrow();
      expect(outcome.schema['type']).toBe('object');
      expect(check(outcome.schema)).toEqual({ ok: true, schema: outcome.schema });
    };
    fc.assert(fc.property(fc.jsonValue(), hold), { numRuns: 500 });
    fc.assert(fc.property(fc.dictionary(fc.constantFrom(...KEYWORDS), anySchema, { maxKeys: 8 }), hold), {
      numRuns: 2_000,
    });
    fc.assert(
      fc.property(anySchema, (x) => hold({ type: 'object', properties: { a: x }, $defs: { a: x } })),
      { numRuns: 1_500 },
    );
  },
  60_000,
);
