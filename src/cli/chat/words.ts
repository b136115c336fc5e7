import { PlugError } from '../../base/errors.ts';

/** Words as a shell would split them, without anything that a shell would do beyond that. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && /["\\]/.test(text.charAt(at + 1)))
        word += text.charAt((at += 1));
      else word = (word ?? '') + character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + (character === '\\' ? text.charAt((at += 1)) : character);
  }
  if (quote !== '') throw new PlugError('usage', `There is a ${quote} without an end.`, { owner: 'you' });
  return word === undefined ? words : [...words, word];
}
