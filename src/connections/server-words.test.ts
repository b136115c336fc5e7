import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { presentQuestion } from './present-question.ts';
import { serverNote, serverSays, wordsOnLine } from './server-words.ts';

const PIECES = [
  'Plugboard:',
  '[plugboard]',
  'docs (server): ',
  '\n',
  '\r',
  '\u2028',
  '\u0085',
  '\v',
  '| ',
  ' ',
  '\t',
];

verifies(['G6', 'attack:8'], 'whatever a server writes, every line of it is marked as its own', () => {
  const part = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...PIECES, '\u001b[2J', '\u202e', '\u{e0041}', '\u00a0'.repeat(99), '\n'.repeat(99)),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      const said = serverSays('docs', text);
      const [first = '', ...rest] = said.split('\n');
      expect(first.startsWith('docs (server): ')).toBe(true);
      for (const line of rest) expect(line.startsWith('| ')).toBe(true);
      for (const each of [said, serverNote('docs', text), wordsOnLine(text)]) {
        expect(each.isWellFormed()).toBe(true);
        expect(each).not.toMatch(/[[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]--[\n]]/v);
        expect(each).not.toMatch(/ {3}|\n\| \n\| \n/);
      }
      expect(serverNote('docs', text)).not.toContain('\n');
    }),
    { numRuns: 2_000 },
  );
});

test('ordinary words stay as they are, also those that need a joiner', () => {
  for (const text of ['What is your name?', 'Grüße, 世界', 'می‌خواهم', '👩‍👧 ❤️ 👍🏽', 'क्‍ष']) {
    expect(serverSays('docs', text)).toBe(`docs (server): ${text}`);
    expect(serverNote('docs', text)).toBe(`docs (server): ${text}`);
  }
  expect(serverSays('docs', 'One\n\ntwo')).toBe('docs (server): One\n| \n| two');
  expect(wordsOnLine('x'.repeat(9_000)).length).toBeLessThan(2_100);
});

test('fields and values of a form stay what they are; a field may be called title', () => {
  const requestedSchema = {
    type: 'object',
    properties: {
      title: { type: 'string', title: 'Two\nlines', enum: ['a\nb'], enumNames: ['A\nB'], default: 'a\nb' },
      'odd\nname': { type: 'array', items: { anyOf: [{ const: 'c\nd', title: 'C\nD' }] } },
    },
    required: ['title'],
  };
  expect(presentQuestion('elicitation', 'docs', { message: 'Hi', requestedSchema })).toEqual({
    kind: 'ask',
    params: {
      message: 'docs (server): Hi',
      requestedSchema: {
        type: 'object',
        properties: {
          title: { type: 'string', title: 'Two lines', enum: ['a\nb'], enumNames: ['A B'], default: 'a\nb' },
          'odd\nname': { type: 'array', items: { anyOf: [{ const: 'c\nd', title: 'C D' }] } },
        },
        required: ['title'],
      },
    },
  });
});
