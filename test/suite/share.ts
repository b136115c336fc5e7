import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where test files ask for what they share. */
    shared: string;
  }
}

/** `database`: the url of a new, empty PostgreSQL database. `chromium`: where the one browser listens. */
export type SharedName = 'database' | 'chromium';

/**
 * Starts what all test files of a run share (share-program.ts). It has a process of its own: the
 * PostgreSQL package ends its process with code 0 when all is done, which would turn a failed run of
 * vitest into a passed one.
 */
export default async function share({ provide }: TestProject): Promise<() => Promise<void>> {
  const program = fileURLToPath(new URL('share-program.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
  if (!Buffer.isBuffer(line)) throw new Error('What the tests share could not be started.');
  provide('shared', line.toString().trim());
  return async () => {
    child.stdin.end();
    await ended;
  };
}
