import { expect, test } from 'vitest';
import { op } from './operation.ts';
import { parseAhead, parseInput } from './parse-input.ts';

test('an input that was parsed ahead is not parsed again for its operation, but for any other', () => {
  let parsed = 0;
  const row = () =>
    op('POST /v1/things', {
      summary: 'A thing.',
      role: 'member',
      input: (z) => z.strictObject({ name: z.string().refine(() => (parsed += 1)) }),
    });
  const [first, second] = [row(), row()];
  const given = { name: 'a' };
  const input = parseAhead(first, given);
  expect([parseInput(first, input), parsed]).toEqual([{ name: 'a' }, 1]);
  parseInput(second, input);
  expect(parsed).toBe(2);
  // Only what has come out of a schema counts as parsed, not what went in.
  parseInput(first, given);
  expect(parsed).toBe(3);
  expect(() => parseInput(first, { ...given, more: 1 })).toThrow('The request does not fit');
});
