import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { safeJson, sanitize, sanitizeLine } from './sanitize.ts';

// oxlint-disable-next-line no-control-regex -- the test looks for exactly these.
const FORBIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;
const HIDDEN = /[\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const hostileText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
    fc.constantFrom(
      '\u001b[2J',
      '\u001b]52;c;AAAA\u0007',
      '\u009b31m',
      '\u202e',
      '\u200b',
      '\u{e0041}',
      '\ufe0f',
      '👩‍💻',
      '❤️',
    ),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
  ),
});

verifies(
  ['attack:B4'],
  'whatever a server writes, no control character but newline and tab reaches the terminal',
  () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const shown = sanitize(text);
        expect(FORBIDDEN.test(shown)).toBe(false);
        expect(HIDDEN.test(shown)).toBe(false);
        expect(shown.isWellFormed()).toBe(true);
        expect(sanitizeLine(text)).not.toMatch(/[\n\t]/u);
      }),
      { numRuns: 1_000 },
    );
  },
);

test('cleaning twice changes nothing more', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(sanitize(sanitize(text))).toBe(sanitize(text));
    }),
  );
});

test('JSON output reads back unchanged and holds no control character either', () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      const shown = safeJson({ text });
      expect(FORBIDDEN.test(shown)).toBe(false);
      expect(HIDDEN.test(shown)).toBe(false);
      expect(JSON.parse(shown)).toEqual({ text });
    }),
  );
});

verifies(['attack:B5'], 'a carriage return cannot paint over a command: it is shown', () => {
  expect(sanitize('rm -rf ~\rls')).toBe('rm -rf ~\\rls');
  expect(sanitize('\u001b]8;;http://evil\u0007click')).toBe('\\x1b]8;;http://evil\\x07click');
});

test('hidden characters are shown by their number', () => {
  expect(sanitize('a\u202eb')).toBe('a<U+202E>b');
  expect(sanitize('x\u{e0041}')).toBe('x<U+E0041>');
  expect(sanitize('a\ufe0f')).toBe('a<U+FE0F>');
});

test('ordinary text, accents and emoji stay as they are', () => {
  for (const text of ['Grüße, 世界!\n\tzwei', '❤️ und 👩‍💻', 'naïve']) expect(sanitize(text)).toBe(text);
  expect(sanitize('one\r\ntwo')).toBe('one\ntwo');
});
