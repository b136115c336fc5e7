/**
 * The mark is the server's name, ASCII and chosen by the user, so that it cannot pass for another. Its
 * words stay inside: no invisible characters, no line without a mark, no space as wide as a new line.
 */

/** A text of several lines, such as a question. */
export function serverSays(server: string, text: string): string {
  const lines = visible(text)
    .split('\n')
    .map((line) => line.replaceAll(SPACES, ' ').trim())
    .join('\n')
    .trim()
    // Many empty lines would push the rest out of sight.
    .replaceAll(/\n{3,}/g, '\n\n');
  return `${server} (server): ${lines.replaceAll('\n', '\n| ')}`;
}

/** A text of one line, such as a note of progress. */
export function serverNote(server: string, text: string): string {
  return `${server} (server): ${wordsOnLine(text)}`;
}

/** One line within a marked whole, such as the title of a field. */
export function wordsOnLine(text: string): string {
  const line = visible(text.slice(0, NOTE_CHARS_MAX + 1))
    .replaceAll(WHITE, ' ')
    .trim();
  return line.length <= NOTE_CHARS_MAX ? line : `${line.slice(0, NOTE_CHARS_MAX).toWellFormed()}…`;
}

const NOTE_CHARS_MAX = 2_000;

function visible(text: string): string {
  return text.toWellFormed().replaceAll(BREAKS, '\n').replaceAll(UNSEEN, '');
}

/** Every character that a program may take for a line end. */
const BREAKS = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/g;
const SPACES = /[\t\p{Zs}\u2800\u3164\uffa0]+/gu;
const WHITE = /[\n\t\p{Zs}\u2800\u3164\uffa0]+/gu;

/** Control and format characters, and those that are drawn as nothing. */
const HIDDEN = String.raw`[[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]--[\n\t\u3164\uffa0]]`;

/** A joiner or selector after an emoji, or after a letter that is not Latin, is spelling. */
const SPELLED = String.raw`(?<=[[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]--\p{Script=Latin}])[\u200c\u200d\ufe0f]`;

const UNSEEN = new RegExp(`(?!${SPELLED})${HIDDEN}`, 'gv');
