import { expect, test } from 'vitest';
import { LiveRows } from './live-rows.ts';

function screen(size: { width: number; height: number }) {
  let written = '';
  const writer = {
    isTerminal: true,
    isOpen: true,
    get width() {
      return size.width;
    },
    write: (text: string): void => void (written += text),
  };
  const rows = new LiveRows({ writer, height: () => size.height, styled: false });
  return { rows, take: () => ((size) => ((written = ''), size))(written) };
}

test('rows are drawn over in place, and erased without a trace', () => {
  const { rows, take } = screen({ width: 40, height: 24 });
  rows.draw([['one'], ['two']]);
  expect(take()).toBe('one\ntwo\n');
  rows.draw([['ONE']]);
  expect(take()).toBe('\u001b[2A\r\u001b[JONE\n');
  rows.erase();
  expect(take()).toBe('\u001b[1A\r\u001b[J');
  rows.erase();
  expect(take()).toBe('');
});

test('after the terminal became narrower, all the lines that the rows take now are drawn over', () => {
  const size = { width: 40, height: 24 };
  const { rows, take } = screen(size);
  rows.draw([['x'.repeat(30)], ['y']]);
  take();
  size.width = 12;
  rows.draw([['z']]);
  expect(take()).toBe('\u001b[4A\r\u001b[Jz\n');
});

test('no row is wider than the terminal, and never are there more than it has lines', () => {
  const { rows, take } = screen({ width: 10, height: 6 });
  rows.draw(Array.from({ length: 9 }, (_, index) => ['row ', { style: 'faint', text: `${index} is long` }]));
  const lines = take().trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('…');
  for (const line of lines) expect(line.length).toBeLessThan(10);
});
