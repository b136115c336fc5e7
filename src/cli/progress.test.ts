import { expect, test } from 'vitest';
import type { Clock } from '../base/clock.ts';
import { Progress } from './progress.ts';

/** Time that passes when the test says so. */
function stopwatch(): { readonly clock: Clock; readonly pass: (ms: number) => void } {
  let now = 0;
  const ticking = new Set<() => void>();
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    sleep: () => Promise.resolve(),
    after: () => () => undefined,
    every: (_ms, run) => {
      ticking.add(run);
      return () => void ticking.delete(run);
    },
  };
  const pass = (ms: number): void => {
    for (const end = now + ms; now < end;) {
      now += 100;
      for (const run of ticking) run();
    }
  };
  return { clock, pass };
}

function screen(options: { redraws: boolean; width?: number; silent?: boolean }) {
  const written = { text: '' };
  const { clock, pass } = stopwatch();
  const stderr = {
    isTerminal: options.redraws,
    isOpen: true,
    width: options.width ?? 80,
    write: (text: string): void => void (written.text += text),
  };
  const progress = new Progress({
    stderr,
    clock,
    silent: options.silent ?? false,
    redraws: options.redraws,
  });
  return { progress, written, pass, stderr };
}

test('what is quick shows nothing, on a terminal and off it', () => {
  for (const redraws of [true, false]) {
    const { progress, written, pass } = screen({ redraws });
    progress.say('Calling it …');
    pass(200);
    progress.end();
    pass(20_000);
    expect(written.text).toBe('');
  }
});

test('on a terminal one line says what is being done and for how long, and is taken away', () => {
  const { progress, written, pass } = screen({ redraws: true });
  progress.say('Trying github …');
  pass(3_000);
  expect(written.text).toContain('⠋ Trying github …');
  expect(written.text).toContain('Trying github … (2 s)');
  expect(written.text).not.toContain('\n');
  progress.end();
  expect(written.text.endsWith('\r\u001b[2K')).toBe(true);
  expect(written.text).not.toContain('\u001b[?25l'); // the cursor is never hidden
});

test('where a total is known there is a bar', () => {
  const { progress, written, pass } = screen({ redraws: true });
  progress.say('github is ready', { done: 3, total: 9 });
  pass(400);
  expect(written.text).toContain('[████░░░░░░░░] 3/9 github is ready …');
});

test('off a terminal a long wait is told in plain lines, rarely', () => {
  const { progress, written, pass } = screen({ redraws: false });
  progress.say('Trying github');
  pass(25_000);
  expect(written.text.split('\n')).toEqual([
    '… Trying github … (2 s)',
    '… Trying github … (12 s)',
    '… Trying github … (22 s)',
    '',
  ]);
});

test('with JSON nothing is shown', () => {
  const { progress, written, pass } = screen({ redraws: true, silent: true });
  progress.say('Trying');
  pass(30_000);
  expect(written.text).toBe('');
});

test('a terminal that became narrower is cleaned of all rows that the line was broken into', () => {
  const { progress, written, pass, stderr } = screen({ redraws: true, width: 80 });
  progress.say('x'.repeat(70));
  pass(400);
  stderr.width = 40;
  written.text = '';
  progress.end();
  expect(written.text).toBe('\r\u001b[2K\u001b[1A\u001b[2K');
});

test('the words of a server cannot drive the terminal, and a wide name keeps to the width', () => {
  const { progress, written, pass } = screen({ redraws: true, width: 20 });
  progress.say('\u001b[31m世界世界世界世界世界世界');
  pass(400);
  expect(written.text).toContain('\\x1b');
  expect(written.text).not.toContain('\u001b[31m');
  expect(written.text).toContain('…');
});

test('nothing is drawn over a question', async () => {
  const { progress, written, pass } = screen({ redraws: true });
  progress.say('Calling it');
  pass(1_000);
  await progress.whilePaused(() => {
    written.text = '';
    pass(5_000);
    expect(written.text).toBe('');
    return Promise.resolve();
  });
  pass(100);
  expect(written.text).toContain('Calling it');
});
