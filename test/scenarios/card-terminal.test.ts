import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('../contracts/toy-plug.ts', import.meta.url));

/** A call that has to be approved, in a real terminal of its own. */
function callInTerminal() {
  const line = [process.execPath, program, 'call', 'toy/write', '--args', '{"a":1}']
    .map((word) => `'${word}'`)
    .join(' ');
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { PATH: process.env['PATH'], TERM: 'xterm' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let shown = '';
  const closed = once(child, 'close') as Promise<[number]>;
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  return {
    type: (keys: string): void => void child.stdin.write(keys),
    shows: async (text: RegExp): Promise<void> => {
      while (!text.test(shown)) await Promise.race([once(child.stdout, 'data'), closed.then(gone)]);
    },
    ended: async (): Promise<{ code: number; shown: string }> => ({ code: (await closed)[0], shown }),
  };
}

function gone(): never {
  throw new Error('It ended before it said that.');
}

const LONG_MS = 20_000;

test(
  'one key answers, without Enter, and the terminal is as it was afterwards',
  async () => {
    const { type, shows, ended } = callInTerminal();
    await shows(/Allow it\? \[y/);
    type('y');
    const { code, shown } = await ended();
    expect(code).toBe(0);
    expect(shown).toContain('wrote {"a":1}');
  },
  LONG_MS,
);

test(
  'what was typed before the card was shown is no answer, nor is a paste',
  async () => {
    const { type, shows, ended } = callInTerminal();
    type('y');
    await shows(/Allow it\? \[y/);
    type('yes please');
    type('\u001b[A'); // an arrow
    await new Promise((resolve) => setTimeout(resolve, 300));
    type('n');
    const { code, shown } = await ended();
    expect(code).toBe(1);
    expect(shown).toContain('It was denied.');
    expect(shown).not.toContain('wrote');
  },
  LONG_MS,
);

for (const [name, key] of [
  ['Escape', '\u001b'],
  ['Ctrl-C', '\u0003'],
] as const) {
  test(
    `${name} stops the call`,
    async () => {
      const { type, shows, ended } = callInTerminal();
      await shows(/Allow it\? \[y/);
      type(key);
      const { code, shown } = await ended();
      expect(code).toBe(1);
      expect(shown).toContain('You stopped it. toy/write was not called.');
    },
    LONG_MS,
  );
}

test(
  'arguments are edited in their line, as they are shown',
  async () => {
    const { type, shows, ended } = callInTerminal();
    await shows(/Allow it\? \[y/);
    type('e');
    await shows(/Arguments: .*\{"a":1\}/);
    type('\u007f\u007f2}\r'); // two back, then 2}
    const { code, shown } = await ended();
    expect(code).toBe(0);
    expect(shown).toContain('wrote {"a":2}');
  },
  LONG_MS,
);
