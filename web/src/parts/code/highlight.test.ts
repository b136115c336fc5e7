import { expect, test } from 'vitest';
import { highlight } from './highlight.ts';

const kinds = (code: string, language: string): readonly string[] =>
  highlight(code, language).flatMap(({ kind, text }) => (kind === 'plain' ? [] : [`${kind} ${text}`]));

test('comments, texts, numbers and words are told apart, and nothing of the code is lost', () => {
  const code = "const a = 'it\\'s'; // if 1\nreturn 0x1F + `b`;";
  expect(kinds(code, 'ts')).toEqual([
    'word const',
    "text 'it\\'s'",
    'comment // if 1',
    'word return',
    'number 0x1F',
    'text `b`',
  ]);
  for (const language of ['ts', 'py', 'sh', 'sql', 'yaml', 'json', 'css', 'go', 'unknown']) {
    expect(
      highlight(code, language)
        .map(({ text }) => text)
        .join(''),
    ).toBe(code);
  }
});

test('a language has its own comments and words', () => {
  expect(kinds('def f(): # why', 'python')).toEqual(['word def', 'comment # why']);
  expect(kinds('SELECT 1 -- one', 'SQL')).toEqual(['word SELECT', 'number 1', 'comment -- one']);
  expect(kinds('{"a": null}', 'json')).toEqual(['text "a"', 'word null']);
  expect(kinds('if it is plain', 'text')).toEqual([]);
});

test('an open text or comment ends with the code', () => {
  expect(kinds('let a = "open', 'js')).toEqual(['word let', 'text "open']);
  expect(kinds('/* open', 'js')).toEqual(['comment /* open']);
});
