import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { checkSchema } from '../schemas/check-schema.ts';
import { fieldName, restoreArguments } from './field-names.ts';
import { forAiSdk, forAnthropic, forGemini, forOpenAi, forOpenAiChat, renderTools } from './render.ts';
import { forMcp } from './mcp.ts';
import { wordSet } from '../word-set.ts';
import { PROVIDER_LIMITS, type Provider } from './provider-limits.ts';
import type { ShownTool } from './shown-tool.ts';

const shown = (schema: JsonObject, name = 'mcp__github__create_issue'): ShownTool => ({
  tool: {
    ref: 'github/create_issue',
    definition: {
      name: 'create_issue',
      inputSchema: schema,
      annotations: { destructiveHint: true },
      'x-own': 1,
    },
  },
  schema,
  name,
  description: '[github] Creates an issue.',
});

const plain: JsonObject = {
  type: 'object',
  properties: { title: { type: 'string' }, labels: { type: 'array', items: { type: 'string' } } },
  required: ['title'],
  additionalProperties: false,
};

verifies(['T8'], 'a tool has exactly the shape that each provider documents', () => {
  const name = 'mcp__github__create_issue';
  const description = '[github] Creates an issue.';
  expect(forOpenAi(shown(plain))).toEqual({
    type: 'function',
    name,
    description,
    parameters: plain,
    strict: false,
  });
  expect(forOpenAiChat(shown(plain))).toEqual({
    type: 'function',
    function: { name, description, parameters: plain, strict: false },
  });
  expect(forAnthropic(shown(plain))).toEqual({ name, description, input_schema: plain });
  expect(forAiSdk(shown(plain))).toEqual({ type: 'function', name, description, inputSchema: plain });
  expect(forGemini(shown(plain))).toEqual({
    name,
    description,
    parameters: {
      type: 'OBJECT',
      properties: { title: { type: 'STRING' }, labels: { type: 'ARRAY', items: { type: 'STRING' } } },
      required: ['title'],
    },
  });
  expect(forMcp(shown(plain))).toEqual({
    name,
    description,
    inputSchema: plain,
    annotations: { destructiveHint: true },
    'x-own': 1,
  });
  // A schema that needs no change is not copied.
  expect(forAnthropic(shown(plain)).input_schema).toBe(plain);
});

verifies(['T5', 'T8'], 'a tool without arguments is one that every provider takes', () => {
  const none = shown({ type: 'object' });
  expect(forOpenAi(none).parameters).toEqual({ type: 'object', properties: {} });
  expect(forAnthropic(none).input_schema).toEqual({ type: 'object' });
  expect(forGemini(none)).toEqual({ name: none.name, description: none.description });
});

verifies(['T5'], 'alternatives at the top become one object, and the choice is told in words', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: { owner: { type: 'string' } },
    required: ['owner'],
    oneOf: [{ properties: { id: { type: 'integer' } }, required: ['id'] }, { $ref: '#/$defs/ByName' }],
    $defs: {
      ByName: { properties: { name: { type: 'string' }, id: { type: 'string' } }, required: ['name'] },
    },
  };
  const flat = forOpenAi(shown(schema));
  expect(flat.parameters).toEqual({
    type: 'object',
    properties: {
      owner: { type: 'string' },
      id: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
      name: { type: 'string' },
    },
    required: ['owner'],
    $defs: schema['$defs'],
  });
  expect(flat.description).toBe('[github] Creates an issue. Give exactly one of: id; name.');
  expect(forAnthropic(shown(schema)).input_schema).toEqual(flat.parameters);
});

verifies(
  ['T5'],
  'fields with names that a provider refuses are renamed there, and get their names back',
  () => {
    const schema: JsonObject = {
      type: 'object',
      properties: {
        'filter[id]': { type: 'string' },
        $top: { type: 'integer' },
        'max-results': { type: 'integer' },
        list: { type: 'array', items: { $ref: '#/$defs/Item' } },
      },
      required: ['filter[id]'],
      $defs: {
        Item: { type: 'object', properties: { '@type': { type: 'string' }, ok: { type: 'string' } } },
      },
    };
    const { input_schema: anthropic } = forAnthropic(shown(schema));
    const id = fieldName('filter[id]');
    expect(id).toMatch(/^filter_id__[0-9a-f]{8}$/);
    expect(Object.keys(anthropic['properties'] as object)).toEqual([
      id,
      fieldName('$top'),
      'max-results',
      'list',
    ]);
    expect(anthropic['required']).toEqual([id]);
    const gemini = forGemini(shown(schema)).parameters?.['properties'] as Record<string, JsonObject>;
    expect(Object.keys(gemini)).toEqual([id, fieldName('$top'), fieldName('max-results'), 'list']);
    expect(gemini['list']?.['items']).toEqual({
      type: 'OBJECT',
      properties: { [fieldName('@type')]: { type: 'STRING' }, ok: { type: 'STRING' } },
    });
    const given = {
      [id]: 'a',
      [fieldName('max-results')]: 3,
      list: [{ [fieldName('@type')]: 'x', ok: 'y' }],
      other: 1,
    };
    expect(restoreArguments(schema, given)).toEqual({
      'filter[id]': 'a',
      'max-results': 3,
      list: [{ '@type': 'x', ok: 'y' }],
      other: 1,
    });
    const own = { 'filter[id]': 'a', list: [{ ok: 'y' }] };
    expect(restoreArguments(schema, own)).toBe(own);
  },
);

verifies(['T5'], 'what Gemini cannot express is inlined, narrowed, or told in words', () => {
  const field = (schema: JsonObject, extra: JsonObject = {}): unknown => {
    const { parameters = {} } = forGemini(shown({ type: 'object', properties: { x: schema }, ...extra }));
    return (parameters['properties'] as JsonObject)['x'];
  };
  expect(field({ type: ['string', 'null'], description: 'd' })).toEqual({
    type: 'STRING',
    description: 'd',
    nullable: true,
  });
  expect(field({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toEqual({
    type: 'STRING',
    nullable: true,
  });
  expect(field({ type: ['string', 'integer'] })).toEqual({
    anyOf: [{ type: 'STRING' }, { type: 'INTEGER' }],
  });
  expect(field({ description: 'd', oneOf: [{ type: 'string' }, { type: 'integer' }] })).toEqual({
    anyOf: [
      { type: 'STRING', description: 'd' },
      { type: 'INTEGER', description: 'd' },
    ],
  });
  expect(field({ const: 'a' })).toEqual({ type: 'STRING', enum: ['a'] });
  expect(field({ type: 'integer', enum: [1, 2] })).toEqual({
    type: 'INTEGER',
    description: 'Rules: {"enum":[1,2]}',
  });
  expect(field({ type: 'string', enum: ['', 'a'] })).toEqual({ type: 'STRING', enum: ['a'] });
  expect(field({ type: 'integer', exclusiveMinimum: 0, multipleOf: 5 })).toEqual({
    type: 'INTEGER',
    minimum: 1,
    description: 'Rules: {"multipleOf":5}',
  });
  expect(field({ type: 'string', format: 'email' })).toEqual({
    type: 'STRING',
    description: 'Rules: {"format":"email"}',
  });
  expect(field({ type: 'string', format: 'date-time' })).toEqual({ type: 'STRING', format: 'date-time' });
  expect(field({ type: 'array' })).toEqual({ type: 'ARRAY', items: { type: 'STRING' } });
  expect(
    field({ allOf: [{ $ref: '#/$defs/A' }], description: 'd' }, { $defs: { A: { type: 'number' } } }),
  ).toEqual({
    type: 'NUMBER',
    description: 'd',
  });
});

test('a schema that contains itself is written out a few rounds for Gemini, and a bomb of references is not', () => {
  const tree: JsonObject = {
    type: 'object',
    properties: { children: { type: 'array', items: { $ref: '#' } } },
  };
  const text = JSON.stringify(forGemini(shown(tree)));
  expect(text.match(/children/g)).toHaveLength(1 + limits.inlinedRefsDepthMax);
  expect(text).toContain('Nested further in the same way.');
  const chain: JsonObject = {
    type: 'object',
    properties: { a: { allOf: [{ $ref: '#/$defs/A' }] } },
    $defs: { A: { type: 'object', properties: { a: { allOf: [{ $ref: '#/$defs/A' }] } } } },
  };
  expect(JSON.stringify(forGemini(shown(chain))).length).toBeLessThan(20_000);
  const wide = (target: string): JsonObject => ({
    type: 'object',
    properties: Object.fromEntries('abcdefghij'.split('').map((key) => [key, { $ref: target }])),
  });
  const $defs = Object.fromEntries(
    Array.from({ length: 9 }, (_, level) => [`L${level}`, wide(`#/$defs/L${level + 1}`)]),
  );
  const bomb = checkSchema({ ...wide('#/$defs/L0'), $defs }, limits);
  expect(bomb.ok && JSON.stringify(forGemini(shown(bomb.schema))).length).toBeLessThan(200_000);
});

verifies(['T8'], 'every rendered name fits its provider, is there once, and leads back to its tool', () => {
  const ref = fc.tuple(
    fc.stringMatching(/^[a-z][a-z0-9.-]{0,30}$/),
    fc.string({ minLength: 1, maxLength: 100 }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(ref, { selector: (each) => each.join('/'), maxLength: 20 }), (refs) => {
      const tools = refs.map(([server, tool]): ShownTool => ({
        tool: { ref: `${server}/${tool}`, definition: { name: tool } },
        schema: plain,
        name: `${server}.${tool}`,
        description: '',
      }));
      for (const provider of ['openai', 'anthropic', 'gemini', 'ai-sdk', 'mcp'] as const) {
        const { tools: rendered, names } = renderTools(tools, provider);
        expect(Object.values(names)).toEqual(tools.map(({ tool }) => tool.ref));
        expect(rendered.map((each) => each['name'])).toEqual(Object.keys(names));
        for (const name of Object.keys(names)) expect(name).toMatch(PROVIDER_LIMITS[provider].name);
      }
    }),
  );
});

test('two tools whose names would fit to the same one both stay, and too many are omitted with a reason', () => {
  const two = [shown(plain, 'a.b'), { ...shown(plain, 'a.b'), tool: { ref: 'other/tool', definition: {} } }];
  const { names } = renderTools(two, 'mcp');
  expect(Object.values(names)).toEqual(['github/create_issue', 'other/tool']);
  const many = Array.from({ length: 130 }, (_, index) => ({ ...shown(plain, `t${index}`) }));
  const { tools, omitted } = renderTools(many, 'openai', { openAi: 'chat' });
  expect(tools).toHaveLength(128);
  expect(omitted).toEqual(
    Array.from({ length: 2 }, () => ({
      ref: 'github/create_issue',
      reason: 'The provider takes no more than 128 tools at once.',
    })),
  );
});

const KEYS = `type properties required items prefixItems additionalProperties anyOf allOf oneOf not if then enum const pattern
  format minimum exclusiveMinimum multipleOf minLength minItems uniqueItems contains default description title nullable $ref $defs`;
const LEAVES = [
  'string',
  'object',
  'array',
  'integer',
  'null',
  '#',
  '#/properties/a',
  '#/$defs/a',
  'email',
  '',
  'a',
  0,
  5,
  true,
  false,
];
const { schema: anySchema } = fc.letrec<{ schema: unknown; value: unknown }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>({ type: 'string' }, { type: ['array', 'null'] }, { $ref: '#/$defs/a' }, true),
    fc.dictionary(fc.constantFrom(...KEYS.split(/\s+/)), tie('value'), { maxKeys: 5 }),
  ),
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>(...LEAVES),
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 3 }),
    fc.array(fc.constantFrom<unknown>(...LEAVES), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c d', '$e'), tie('schema'), { maxKeys: 3 }),
  ),
}));

verifies(
  ['T5', 'T8'],
  'whatever the schema, each provider gets only what it permits',
  () => {
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    fc.assert(
      fc.property(anySchema, anySchema, (a, b) => {
        const checked = checkSchema(
          { type: 'object', properties: { a, 'c d': b }, anyOf: [b, a], $defs: { a: b } },
          limits,
        );
        if (!checked.ok) return;
        const { parameters } = forGemini(shown(checked.schema));
        if (parameters) expectGemini(parameters);
        for (const provider of ['openai', 'anthropic', 'ai-sdk'] as const)
          expectPlain(provider, checked.schema, ajv);
      }),
      { numRuns: 400 },
    );
  },
  60_000,
);

/** Gemini refuses any other key. */
const GEMINI_KEYWORDS = wordSet(
  `type format title description nullable enum items minItems maxItems properties required minProperties
  maxProperties minLength maxLength pattern anyOf minimum maximum default example propertyOrdering`,
);

function expectGemini(schema: JsonObject): void {
  for (const key of Object.keys(schema)) expect(GEMINI_KEYWORDS).toContain(key);
  if (Array.isArray(schema['anyOf'])) {
    expect(Object.keys(schema)).toEqual(['anyOf']);
    for (const each of schema['anyOf']) expectGemini(each as JsonObject);
    return;
  }
  expect(schema['type']).toMatch(/^(STRING|NUMBER|INTEGER|BOOLEAN|ARRAY|OBJECT)$/);
  if (schema['type'] === 'ARRAY') expectGemini(schema['items'] as JsonObject);
  if (schema['enum'] !== undefined) expect(schema['type']).toBe('STRING');
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  if (Array.isArray(schema['required']))
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(schema['required']));
  for (const [name, field] of Object.entries(properties)) {
    expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/);
    expectGemini(field as JsonObject);
  }
}

function expectPlain(provider: Exclude<Provider, 'gemini' | 'mcp'>, checked: JsonObject, ajv: Ajv2020): void {
  const [rendered] = renderTools([shown(checked)], provider).tools;
  const schema = (rendered?.['parameters'] ??
    rendered?.['input_schema'] ??
    rendered?.['inputSchema']) as JsonObject;
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'enum', 'const', 'not'])
    expect(schema).not.toHaveProperty(keyword);
  expect(schema['type']).toBe('object');
  const { field } = PROVIDER_LIMITS[provider];
  if (field)
    for (const name of Object.keys((schema['properties'] as object | undefined) ?? {}))
      expect(name).toMatch(field);
  expect(() => ajv.compile(schema)).not.toThrow();
  ajv.removeSchema(schema);
}
