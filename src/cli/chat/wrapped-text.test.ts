import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { paint } from '../output.ts';
import { WrappedText } from './wrapped-text.ts';

function written(chunks: readonly string[], { width = 20, markdown = false } = {}): string {
  let shown = '';
  const text = new WrappedText({
    write: (...pieces) => void (shown += pieces.map((piece) => paint(piece, markdown)).join('')),
    newLine: () => void (shown += '\n'),
    width: () => width,
    markdown,
  });
  for (const chunk of chunks) text.add(chunk);
  text.endLine();
  return shown;
}

test('however an answer is cut into chunks, the same is shown', () => {
  const whole =
    'one two\r\n  indented 漢字漢字漢字漢字漢字漢字 👩‍👩‍👧 a\u001b[2Jb \u202e end\n```\nlong code line that is not wrapped\n```\n';
  const once = written([whole]);
  for (const size of [1, 2, 3, 5, 7]) {
    const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, index) =>
      whole.slice(index * size, (index + 1) * size),
    );
    expect(written(chunks)).toBe(once);
  }
  expect(once).toContain('👩‍👩‍👧');
  expect(once).toContain('a\\x1b[2Jb');
  expect(once).toContain('long code line that is not wrapped');
});

verifies(['U2'], 'no chunk of an answer brings a control character to the terminal', () => {
  const evil = [
    '\u001b',
    '[',
    '31m',
    '\u009b2J',
    '\r',
    'x\u0007',
    '\u001b]0;',
    'title\u001b\\',
    '\ud83d',
    '\ude00',
    '\u2028',
  ];
  const shown = written(evil, { width: Number.POSITIVE_INFINITY });
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there.
  expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028]/);
  expect(shown).toContain('😀');
});

test('lines end at words and stay below the width, and indentation is kept', () => {
  const shown = written(['The quick brown fox jumps over\n', '  - the lazy dog']);
  expect(shown).toBe('The quick brown fox\njumps over\n  - the lazy dog\n');
});

test('Markdown only adds styles: without them it is the text as the model wrote it', () => {
  const text =
    '# Title\n**bold words** and `code` but 2 ** 3 and a * b\n```ts\nconst x = "**no**";\n```\nend\n';
  const styled = written([text], { width: 200, markdown: true });
  // oxlint-disable-next-line no-control-regex -- styles are escape sequences.
  expect(styled.replaceAll(/\u001b\[\d+m/g, '')).toBe(text);
  expect(styled).toContain('\u001b[1m**\u001b[22m\u001b[1mbold\u001b[22m');
  expect(styled).toContain('2 ** 3 and a * b');
});
