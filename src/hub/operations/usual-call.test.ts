import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExactNumber } from '../../base/exact-number.ts';
import { schemaOf } from './parse-input.ts';
import { tools } from './tools.ts';
import { isUsualCall } from './usual-call.ts';

const schema = schemaOf(tools.call);
const FIELDS = [
  ...'tool args profile readOnly account host timeoutMs meta fields requester consent approval whole'.split(
    ' ',
  ),
  ...'wholeStructured passTask task forModel batch __proto__ constructor'.split(' '),
];
const values = fc.oneof(
  fc.constantFrom<unknown>('a/b', '', 'x'.repeat(128), 'x'.repeat(129), 'x'.repeat(512), 'x'.repeat(513)),
  fc.constantFrom<unknown>('wait', 'refuse', 'person', 'program', 'form', true, false, 0, 1, 1.5, null),
  fc.constantFrom<unknown>(undefined, {}, [], { text: 'hi' }, new ExactNumber('1e400'), new Map()),
);

test('what counts as a usual call is taken by the schema as it is', () => {
  const changes = fc.uniqueArray(fc.tuple(fc.constantFrom(...FIELDS), values), {
    selector: ([field]) => field,
    maxLength: 3,
  });
  const calls = changes.map((fields): unknown => Object.fromEntries([['tool', 'a/b'], ...fields]));
  let usual = 0;
  fc.assert(
    fc.property(fc.oneof({ weight: 9, arbitrary: calls }, values), (input) => {
      if (!isUsualCall(input)) return;
      usual += 1;
      expect(schema.safeParse(input)).toEqual({ success: true, data: input });
    }),
    { numRuns: 5_000 },
  );
  expect(usual).toBeGreaterThan(100);
});

test('calls as a host, a model and a program make them are usual ones', () => {
  const call = { tool: 'notes/search', args: { query: 'tea' } };
  const ofHost = {
    ...call,
    approval: 'wait',
    whole: true,
    host: 'host_1',
    meta: {},
    fields: {},
    passTask: true,
  };
  expect(
    [call, ofHost, { ...call, profile: 'work', readOnly: true, forModel: true }].every(isUsualCall),
  ).toBe(true);
});
