import { expect, test } from 'vitest';
import { findHidden, showHidden, withoutHidden } from './hidden-text.ts';

const tags = (text: string): string =>
  Array.from(text, (each) => String.fromCodePoint(0xe_00_00 + each.charCodeAt(0))).join('');

test('B6: every hidden character is shown by its number', () => {
  expect(showHidden(`a${tags('hi')}b`)).toBe('a<U+E0068><U+E0069>b');
  expect(showHidden('pay\u200bload\u2060\ufeff')).toBe('pay<U+200B>load<U+2060><U+FEFF>');
  expect(showHidden('\u202Egnp.exe\u202c \u2066x\u2069')).toBe('<U+202E>gnp.exe<U+202C> <U+2066>x<U+2069>');
  expect(showHidden('😀\ufe0f\ufe01\u{e0100}\u{e01ef}')).toBe('😀\ufe0f<U+FE01><U+E0100><U+E01EF>');
  expect(showHidden('so\u00adft\u034f\u115f\u3164\u180e')).toBe(
    'so<U+00AD>ft<U+034F><U+115F><U+3164><U+180E>',
  );
});

test('B5: an argument cannot overwrite the line on which it is shown', () => {
  expect(showHidden('rm -rf ~\rls')).toBe('rm -rf ~<U+000D>ls');
  expect(showHidden('\u001b[2Kls\b\u009b0m')).toBe('<U+001B>[2Kls<U+0008><U+009B>0m');
  expect(showHidden('one\r\ntwo\n\tthree')).toBe('one\r\ntwo\n\tthree');
});

test('ordinary writing is left alone, in every script', () => {
  for (const text of [
    'Zürich, naïve — “quoted” … ≤ 5 €',
    '使用必应搜索，获取网页内容。',
    'كتاب می‌خواهم\u200f (API) ',
    'שלום\u200e world',
    'क्‍ष श्री क्‌ष',
    'ภาษาไทย\u200bง่าย',
    '☀️ ⚠️ 👩‍💻 👩🏽‍🚀 🏳️‍🌈 1️⃣ ©️ ❤️‍🔥',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  ]) {
    expect(showHidden(text), text).toBe(text);
    expect(findHidden(text), text).toBeUndefined();
  }
});

test('what hides between letters that need no joiner is found', () => {
  expect(findHidden('del\u200cete')?.codes).toEqual(['U+200C']);
  expect(findHidden('del\u200dete')?.codes).toEqual(['U+200D']);
  expect(findHidden('שלום\u200e\u200f\u200e')?.count).toBe(3);
  expect(findHidden('a\ufe0f')?.codes).toEqual(['U+FE0F']);
  expect(findHidden(`🏴${tags('delete all')}\u{e007f}`)?.count).toBe(11);
});

test('what a model gets has no trace of what was hidden', () => {
  expect(withoutHidden(`Adds.${tags('ignore')}\u200b`)).toBe('Adds.');
  expect(withoutHidden('half \ud800 pair')).toBe('half \ufffd pair');
});

test('a megabyte of hidden characters is found and not counted to the end', () => {
  expect(findHidden('\u200b'.repeat(1_000_000))).toEqual({ count: 1_000, codes: ['U+200B'] });
});
