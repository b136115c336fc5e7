import { expect, test } from 'vitest';
import { faces, sentencesOf, type Sentence } from './words.ts';

/** Manners of a translation: an actor without a name, and verbs that the field doesn't use so. */
const BANNED =
  /\b(?:whoever|nobody|somebody|goes on|takes? back|for want of|by (?:itself|themselves)|of no use|speaks? against|last words|any more|anew|as long as|is told|what (?:only )?(?:reads|writes|destroys)|it is your move|whose move)\b/i;

for (const face of faces) {
  test(`the ${face} names who acts, in the words of the field`, () => {
    const found = sentencesOf(face);
    expect(found.length).toBeGreaterThan(100);
    expect(found.filter(({ text }) => BANNED.test(text)).map(shown)).toEqual([]);
  });
}

test('the catalogue has what is shown, and leaves out what is not', () => {
  const texts = (face: (typeof faces)[number]): readonly string[] =>
    sentencesOf(face).map(({ text }) => text);
  expect(texts('terminal')).toContain('Why not? The note is sent to the caller:');
  expect(texts('page')).toContain('Why not? The note is sent to the caller.');
  expect(texts('errors')).toContain('… was not approved in time, so it did not run.');
  expect(texts('docs')[0]).toMatch(/^# /);
  const ignored = 'the way that the other end got is lost anyway';
  expect(faces.flatMap(texts)).not.toContain(ignored);
});

function shown({ file, line, text }: Sentence): string {
  return `${file}:${line}: ${text}`;
}
