import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { pieceText, whole, type Piece } from './output.ts';
import { wrapLine } from './wrap-line.ts';

const shown = (width: number, ...pieces: readonly Piece[]): readonly string[] =>
  wrapLine(pieces, width).map((line) => line.map(pieceText).join(''));

verifies(['U1'], 'a long line is broken at words, beneath the text behind its label', () => {
  const label: Piece = { style: 'faint', text: '  then      ' };
  expect(shown(40, label, 'tests it, and saves it only if the test passes')).toEqual([
    '  then      tests it, and saves it only',
    '            if the test passes',
  ]);
  expect(shown(40, 'Short enough.')).toEqual(['Short enough.']);
  expect(shown(Number.POSITIVE_INFINITY, 'word '.repeat(40))).toHaveLength(1);
  const [, second] = wrapLine([{ style: 'warn', text: 'a '.repeat(40).trim() }], 30);
  expect(second?.at(-1)).toMatchObject({ style: 'warn' });
});

verifies(['U1'], 'a command, an address and a line of a file are never broken: they are copied', () => {
  const said =
    'Trusted: its read-only tools run without asking. To change that: plug untrust sequential-thinking';
  expect(shown(60, said)).toEqual([
    'Trusted: its read-only tools run without asking. To change',
    '    that: plug untrust sequential-thinking',
  ]);
  expect(shown(40, said).at(-1)).toBe('    plug untrust sequential-thinking');
  const path = 'node /home/ada/a/long/way/to/plugboard/dist/bin.js';
  expect(shown(40, `At any time: ${path} import`)).toEqual(['At any time:', `    ${path} import`]);
  expect(shown(60, 'Try: ', whole(`${path} tools`), ', or ', whole(`${path} chat`))).toEqual([
    `Try: ${path} tools,`,
    '     or',
    `     ${path} chat`,
  ]);
  const step = 'plug add figma --yes FIGMA_API_KEY=KEY -- npx -y figma-developer-mcp --stdio';
  expect(shown(40, { style: 'faint', text: '  next   ' }, whole(step))).toEqual([`  next   ${step}`]);
  expect(shown(40, whole(`  + ${'a b '.repeat(20)}c`, 'good'))).toHaveLength(1);
  const address = `https://example.com/${'a'.repeat(60)}`;
  expect(shown(40, 'Open', ` ${address} now`)).toEqual([`Open ${address}`, '    now']);
});

verifies(
  ['U1', 'attack:13'],
  'no broken line begins as a row of Plugboard does, wherever the terminal ends',
  () => {
    const forged =
      'It says ✔ Done and ⚠ Careful then next plug rm owner you cause none Next: plug rm ● ready │ quoted';
    for (let width = 20; width < 90; width += 1) {
      const [, ...broken] = shown(width, 'Server ', { style: 'strong', text: forged }, ' ✖ Failed');
      expect(broken.length).toBeGreaterThan(0);
      expect(broken.filter((line) => /^\s*(?:[✔✖⚠●│]|next|owner|cause|Next:)/u.test(line))).toEqual([]);
    }
  },
);
