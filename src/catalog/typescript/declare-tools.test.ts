import { stripTypeScriptTypes } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import type { Tool } from '../tool.ts';
import { declareTools } from './declare-tools.ts';
import { nameTools } from './identifiers.ts';

function tool(name: string, inputSchema: JsonObject, more: Partial<Tool> = {}): Tool {
  return {
    ref: `s/${name}`,
    server: 's',
    name,
    risk: 'read',
    riskFrom: 'name',
    flags: [],
    pinned: true,
    definition: { name, inputSchema },
    ...more,
  };
}

function declare(tools: readonly Tool[], charsMax?: number): ReturnType<typeof declareTools> {
  const names = nameTools(tools);
  return declareTools(tools, { names, ...(charsMax === undefined ? {} : { charsMax }) });
}

/** The type of one field. */
function typeOf(schema: unknown, root: JsonObject = {}): string {
  const { text } = declare([
    // Whatever a test gives is JSON.
    tool('t', { type: 'object', properties: { x: schema as JsonObject }, required: ['x'], ...root }),
  ]);
  const [, type = ''] = /t\(args: \{ x: (.*) \}\): /s.exec(text) ?? [];
  return type;
}

test.each([
  [{ type: 'string' }, 'string'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: 'string', nullable: true }, 'string | null'],
  [{ enum: ['a', 1, null, true] }, '"a" | 1 | null | true'],
  [{ const: { a: [1] } }, '{ a: [1] }'],
  [{ type: 'array' }, 'unknown[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }, '[string, number]'],
  [{ type: 'array', items: [{ type: 'string' }, {}], minItems: 1 }, '[string, unknown?, ...unknown[]]'],
  [
    {
      type: 'array',
      items: [{ type: ['string', 'null'] }],
      minItems: 0,
      additionalItems: { type: 'number' },
    },
    '[(string | null)?, ...number[]]',
  ],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string | string[]'],
  [{ oneOf: [{ type: 'string' }, {}] }, 'unknown'],
  [
    {
      allOf: [
        { properties: { a: { type: 'string' } } },
        { anyOf: [{ required: ['b'] }, { required: ['c'] }] },
      ],
    },
    '{ a?: string } & ({ b: unknown } | { c: unknown })',
  ],
  [{ type: 'object' }, '{ [key: string]: unknown }'],
  [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
  [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
  [
    { properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    '{ a?: string } & { [key: string]: number }',
  ],
  [
    { properties: { a: { type: 'string' } }, additionalProperties: true },
    '{ a?: string; [key: string]: unknown }',
  ],
  [{ patternProperties: { '^x': { type: 'number' } } }, '{ [key: string]: number }'],
  [
    { properties: { 'a-b': {}, 'a"b': {}, __proto__x: {} } },
    '{ "a-b"?: unknown; "a\\"b"?: unknown; __proto__x?: unknown }',
  ],
  [{ $ref: '#/nowhere' }, 'unknown'],
  [{ $ref: 'https://example.com/schema' }, 'unknown'],
  [{ type: 'banana' }, 'unknown'],
  [true, 'unknown'],
  [false, 'never'],
  [5, 'unknown'],
])('%j is %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test('what is referred to has a name, also where it refers to itself', () => {
  const { text } = declare([
    tool('grow', {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' }, circle: { $ref: '#/$defs/circle' } },
      $defs: {
        Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } },
        circle: { anyOf: [{ $ref: '#/$defs/circle' }, { type: 'string' }] },
      },
    }),
  ]);
  expect(text).toContain('type s_grow_Node = { kids?: s_grow_Node[] };');
  expect(text).toContain('grow(args?: { tree?: s_grow_Node; circle?: s_grow_circle })');
  // A type that is nothing but itself is no type.
  expect(text).toContain('type s_grow_circle = unknown;');
});

test('a tool shows its first sentence, its risk, and of its fields what the type does not tell', () => {
  const { text } = declare([
    tool(
      'make',
      {
        type: 'object',
        properties: {
          at: { type: 'string', format: 'date-time', description: 'When.' },
          count: { type: 'integer', minimum: 1, default: 5 },
        },
      },
      { description: 'Makes a thing. And more about it.', risk: 'destructive' },
    ),
  ]);
  expect(text).toContain('/** Makes a thing. (destroys) */');
  expect(text).toContain('/** When. — format date-time */ at?: string;');
  expect(text).toContain('/** default 5, at least 1 */ count?: number;');
});

test('no text of a server ends its comment or its string', () => {
  const evil = '*/ } ; process.exit() /* "\'`${1} \u2028 \u202e \u{e0041} // \r\n*/';
  const { text } = declare([
    tool(
      'x*/y',
      {
        type: 'object',
        description: evil,
        properties: { [evil]: { enum: [evil], description: evil, format: evil, default: evil } },
        required: [evil],
      },
      { description: evil, title: evil },
    ),
  ]);
  expect(programOf(text)).toBe('');
  // oxlint-disable-next-line no-control-regex -- this is what must not be there
  expect(text).not.toMatch(/[\u2028\u202e\u{e0041}\r\u0000-\u0009]/u);
});

test('what has no room is left out and named', () => {
  const tools = ['one', 'two', 'three'].map((name) => tool(name, { type: 'object' }));
  const whole = declare(tools).text;
  const { text, leftOut } = declare(tools, whole.length - 20);
  expect(leftOut).toEqual(['s/three']);
  expect(text.length).toBeLessThanOrEqual(whole.length - 20);
  expect(declare(tools, whole.length + 100).leftOut).toEqual([]);
});

test('a huge schema stays a bounded text', () => {
  const wide = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, {}]));
  let deep: JsonObject = { type: 'string' };
  for (let at = 0; at < 5_000; at += 1) deep = { type: 'array', items: deep };
  const bomb = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `d${at}`,
      {
        type: 'object',
        properties: { a: { $ref: `#/$defs/d${at + 1}` }, b: { $ref: `#/$defs/d${at + 1}` } },
      },
    ]),
  );
  const many = Array.from({ length: 10_000 }, (_, at) => `value ${at}`);
  const { text } = declare([
    tool('t', {
      type: 'object',
      properties: {
        wide: { properties: wide },
        deep,
        bomb: { $ref: '#/$defs/d0' },
        many: { type: 'string', enum: many },
      },
      $defs: bomb,
    }),
  ]);
  expect(text.length).toBeLessThan(20_000);
  expect(text).toContain('many?: string');
  expect(programOf(text)).toBe('');
});

const anySchema = fc.letrec<{ schema: unknown }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'xsmall', maxDepth: 4 },
    fc.constantFrom(
      {},
      true,
      false,
      { type: 'string' },
      { type: ['integer', 'null'] },
      { $ref: '#' },
      { $ref: '#/$defs/a' },
    ),
    fc.record({ enum: fc.array(fc.jsonValue()), description: fc.string({ unit: 'binary' }) }),
    fc.record({ const: fc.jsonValue() }),
    fc.record(
      {
        type: fc.constantFrom('object', 'array', ['object', 'array', 'string']),
        properties: fc.dictionary(fc.string({ unit: 'binary' }), tie('schema')),
        required: fc.array(fc.string()),
        additionalProperties: tie('schema'),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'))),
        prefixItems: fc.array(tie('schema')),
        minItems: fc.nat(3),
        anyOf: fc.array(tie('schema')),
        allOf: fc.array(tie('schema')),
        description: fc.string({ unit: 'binary' }),
        format: fc.string(),
        default: fc.jsonValue(),
        $defs: fc.dictionary(fc.constantFrom('a', 'b', '*/'), tie('schema')),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  ),
}));

test('whatever servers send, the text is TypeScript that only declares, and every tool is in it once', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(
        fc.tuple(fc.string({ unit: 'binary' }), anySchema.schema, fc.string({ unit: 'binary' })),
        {
          selector: ([name]) => name,
          maxLength: 3,
        },
      ),
      (all) => {
        const tools = all.map(([name, schema, description]) =>
          // What fast-check makes here is JSON.
          tool(name, schema as JsonObject, {
            description,
            definition: { inputSchema: schema as JsonObject, outputSchema: schema as JsonObject },
          }),
        );
        const names = nameTools(tools);
        const { text, leftOut } = declareTools(tools, { names });
        expect(leftOut).toEqual([]);
        expect(programOf(text)).toBe('');
        for (const { ref } of tools) {
          const path = names.pathOf(ref);
          const line = `\n    ${path?.tool}(args`;
          expect(text.split(line)).toHaveLength(2);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('the compiler takes the declarations, and a program that is written against them', async () => {
  const inputSchema = {
    type: 'object',
    properties: {
      where: { $ref: '#/definitions/Filter' },
      range: { type: 'array', items: [{ type: 'number' }, { type: 'number' }], additionalItems: false },
      tags: { type: 'object', additionalProperties: { type: 'string' } },
    },
    required: ['where'],
    definitions: {
      Filter: {
        anyOf: [
          { type: 'string' },
          {
            type: 'object',
            properties: { and: { type: 'array', items: { $ref: '#/definitions/Filter' } } },
            required: ['and'],
          },
        ],
      },
    },
  };
  const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const { text } = declare([
    tool('list-items', inputSchema, { definition: { inputSchema, outputSchema } }),
    tool('free', { type: 'object' }),
  ]);
  const program = `
    const nested = { and: ['a', { and: [] }] };
    const { n } = await servers.s.list_items({ where: nested, range: [1, 2], tags: { a: 'b' } });
    const whole: number = n;
    const anything: string = (await servers.s.free()).x.y;
    // @ts-expect-error: a number is no filter
    await servers.s.list_items({ where: 5 });
    // @ts-expect-error: the filter is required
    await servers.s.list_items({});
    // @ts-expect-error: a pair has two numbers
    await servers.s.list_items({ where: '', range: [1] });
    // @ts-expect-error: n is a number
    const text: string = n;
    export { anything, text, whole };
  `;
  expect(await compile(text + program)).toBe(0);
});

/** What is left when all types are gone: nothing but our own comment. */
function programOf(text: string): string {
  return stripTypeScriptTypes(text)
    .replace(/^\/\*\* The structured content[^*]*\*\//, '')
    .trim();
}

/** Runs the compiler in a thread; answers its exit code. */
async function compile(program: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'plug-types-'));
  try {
    const file = join(folder, 'program.mts');
    writeFileSync(file, program);
    const flags = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2024',
      '--module',
      'nodenext',
      '--types',
      '',
    ];
    const tsc = new Worker(new URL('../../../node_modules/typescript/lib/tsc.js', import.meta.url), {
      argv: [...flags, file],
      stderr: true,
    });
    return await new Promise((resolve, reject) => tsc.on('exit', resolve).on('error', reject));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
