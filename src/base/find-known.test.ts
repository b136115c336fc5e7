import { expect, test } from 'vitest';
import { findKnown, holdsKnown } from './find-known.ts';
import { KnownValues } from './known-values.ts';
import { limits } from './limits.ts';

const SECRET = 'tr0ub4dor-canary-7f3a9c51e2';
const known = new KnownValues(limits);
known.learn(SECRET);
const finding = { known, limits };

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string => hex(text).replaceAll(/../g, '%$&');
const escaped = (text: string): string => hex(text).replaceAll(/../g, String.raw`\u00$&`);
const html = (text: string): string => text.replaceAll(/./g, (char) => `&#${char.charCodeAt(0)};`);
const spaced = (text: string): string => hex(text).replaceAll(/..(?=.)/g, '$& ');
const broken = (text: string): string => text.replaceAll(/.{8}/g, '$&\n  ');
const ENCODINGS = { base64, hex, percent, escaped, html, spaced, broken };

test('a look that decodes nothing at first misses nothing that is hidden', () => {
  for (const [name, encode] of Object.entries(ENCODINGS)) {
    for (const [outer, again] of Object.entries({ ...ENCODINGS, once: (text: string) => text })) {
      const text = `It says: ${again(encode(SECRET))} and no more.`;
      const found = findKnown(text, finding).length > 0;
      expect(holdsKnown(text, finding), `${outer} of ${name}`).toBe(found);
      if (outer === 'once') expect(found, name).toBe(true);
    }
  }
});

test('texts without one hold none, whatever is encoded in them', () => {
  const other = 'a long text that is no secret at all';
  for (const encode of Object.values(ENCODINGS)) expect(holdsKnown(encode(other), finding)).toBe(false);
});
