import { expect, test } from 'vitest';
import { PasteFilter, lineMarksFor } from './line-editor.ts';

test('a paste is told from keys, also when its marks come in pieces', () => {
  const filter = new PasteFilter();
  expect(filter.take('x\u001b[20')).toEqual([{ kind: 'keys', text: 'x' }]);
  expect(filter.take('0~one\n')).toEqual([]);
  expect(filter.take('two\u001b[2')).toEqual([]);
  expect(filter.take('01~y')).toEqual([
    { kind: 'paste', text: 'one\ntwo' },
    { kind: 'keys', text: 'y' },
  ]);
});

test('Esc alone is a key at once, and an arrow passes as it is', () => {
  const filter = new PasteFilter();
  expect(filter.take('\u001b')).toEqual([{ kind: 'keys', text: '\u001b' }]);
  expect(filter.take('\u001b[A')).toEqual([{ kind: 'keys', text: '\u001b[A' }]);
});

test('a message of several lines comes back as it was, whatever signs it holds', () => {
  for (const text of ['one\ntwo\tx', 'a ↵ b\nc ⇥ d\te', '↵⏎␤⇥↹␉\n\t']) {
    const marks = lineMarksFor(text);
    const shown = marks.shown(text);
    expect(shown).not.toMatch(/[\n\t]/);
    expect(marks.meant(shown)).toBe(text);
  }
});
