import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { verifies } from './requirements.ts';

verifies(
  ['P8'],
  'no text of a result is kept in memory, only what cannot be read back',
  async () => {
    const program = fileURLToPath(new URL('heap-of-origins.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [program]);
    // The search finds what is there: the very text while it is held, which the prints know again.
    expect(JSON.parse(stdout)).toEqual({ remembered: false, whileHeld: true, found: 1 });
  },
  60_000,
);
