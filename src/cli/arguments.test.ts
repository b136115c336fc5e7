import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import { PlugError } from '../base/errors.ts';
import { checkRequired, parseArgsObject, parseArguments } from './arguments.ts';

const schema: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    count: { type: 'integer' },
    ratio: { type: 'number' },
    dry: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'number' } },
    filter: { type: 'object' },
    level: { enum: [1, 2, 3] },
    maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    linked: { $ref: '#/$defs/flag' },
  },
  required: ['text'],
  additionalProperties: false,
  $defs: { flag: { type: 'boolean' } },
};

function parse(...pairs: readonly string[]): JsonObject {
  return parseArguments({ pairs, schema });
}

function failure(run: () => unknown): PlugError {
  try {
    run();
  } catch (error) {
    if (error instanceof PlugError) return error;
    throw error;
  }
  throw new Error('It should have failed.');
}

test('words become what the tool asks for', () => {
  expect(
    parse('text=42', 'count=3', 'ratio=-1.5e3', 'dry=true', 'level=2', 'maybe=null', 'linked=false'),
  ).toEqual({
    text: '42',
    count: 3,
    ratio: -1500,
    dry: true,
    level: 2,
    maybe: null,
    linked: false,
  });
});

test('a list is typed as JSON, or item by item', () => {
  expect(parse('tags=["a","b"]')).toEqual({ tags: ['a', 'b'] });
  expect(parse('tags=a', 'tags=b=c')).toEqual({ tags: ['a', 'b=c'] });
  expect(parse('sizes=1', 'sizes=2')).toEqual({ sizes: [1, 2] });
  expect(parse('filter={"a":1}')).toEqual({ filter: { a: 1 } });
});

test('a value may hold equal signs, and := takes raw JSON', () => {
  expect(parse('text=a=b==')).toEqual({ text: 'a=b==' });
  expect(parse('text=')).toEqual({ text: '' });
  expect(parseArguments({ pairs: ['anything:={"deep":[1]}', 'word=7'], schema: undefined })).toEqual({
    anything: { deep: [1] },
    word: '7',
  });
});

test('single words are laid over --args', () => {
  const base = parseArgsObject('{"text":"a","count":1}', '--args');
  expect(parseArguments({ pairs: ['count=2'], schema, base })).toEqual({ text: 'a', count: 2 });
});

test('what does not fit is named by its field', () => {
  const cases: readonly (readonly [string[], string, RegExp])[] = [
    [['count=three'], 'count', /must be a whole number, and “three” is not/],
    [['count=1.5'], 'count', /whole number/],
    [['dry=yes'], 'dry', /true or false/],
    [['filter=[1]'], 'filter', /a JSON object/],
    [['tags=[1,'], 'tags', /not valid JSON/],
    [['cuont=1'], 'cuont', /Did you mean count\?/],
    [['text=a', 'text=b'], 'text', /given twice/],
    [['ratio:={'], 'ratio', /not valid JSON/],
    [['nonsense'], 'nonsense', /write key=value/],
    [['=x'], '=x', /write key=value/],
  ];
  for (const [pairs, field, message] of cases) {
    const error = failure(() => parse(...pairs));
    expect(error.code).toBe('bad_arguments');
    expect(error.details).toEqual({ field });
    expect(error.message).toMatch(message);
  }
  expect(failure(() => checkRequired({}, schema)).message).toBe('“text” is required.');
  expect(failure(() => parseArgsObject('[1]', '--args')).message).toMatch(/must be a JSON object/);
});

test('a key such as __proto__ is a plain key and touches no prototype', () => {
  const args = parseArguments({ pairs: ['__proto__=x', 'constructor=y'], schema: { type: 'object' } });
  expect(Object.hasOwn(args, '__proto__')).toBe(true);
  expect(JSON.stringify(args)).toBe('{"__proto__":"x","constructor":"y"}');
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('a schema that points at itself does not hang the command', () => {
  const endless: JsonObject = { properties: { a: { $ref: '#/properties/a' } } };
  expect(parseArguments({ pairs: ['a=1'], schema: endless })).toEqual({ a: '1' });
});

test('every JSON value survives key:=json', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const args = parseArguments({ pairs: [`v:=${JSON.stringify(value)}`], schema: undefined });
      expect(JSON.stringify(args['v'])).toBe(JSON.stringify(value));
    }),
  );
});
