import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { temporaryFolder } from '../../../test/contracts/vault-store-open.ts';
import { verifies } from '../../../test/requirements.ts';
import { systemClock as clock } from '../../base/clock.ts';
import { limits, type Limits } from '../../base/limits.ts';
import type { RunCommand } from '../../vault/command-reference.ts';
import { commandRunner } from './run-command.ts';

let folder: { readonly path: string } & AsyncDisposable;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Puts a program of this name and text on a PATH of its own. */
async function runnerFor(program: string, script: string, quick: Partial<Limits> = {}): Promise<RunCommand> {
  const bin = join(folder.path, `bin-${Math.random()}`);
  await mkdir(bin);
  await writeFile(join(bin, program), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, program), 0o755);
  return commandRunner({
    hubEnv: { HOME: folder.path, OP_SESSION: 'session-1', UNRELATED: 'no', NODE_OPTIONS: '--no' },
    platform: process.platform,
    searchPath: () => Promise.resolve(`${bin}:/usr/bin:/bin`),
    clock,
    limits: { ...limits, ...quick },
  });
}

verifies(
  ['V2'],
  'a password manager gets its arguments untouched, its own variables and nothing else',
  async () => {
    const marker = join(folder.path, 'marker');
    const run = await runnerFor(
      'op',
      `for a in "$@"; do printf '<%s>' "$a"; done; env >&2; env > ${folder.path}/env; cat`,
    );
    const evil = `$(touch ${marker}); \`touch ${marker}\` && touch ${marker}`;
    expect(await run(['op', 'read', evil, ''], {})).toBe(`<read><${evil}><>`);
    await expect(readFile(marker)).rejects.toThrow('ENOENT');
    const env = await readFile(join(folder.path, 'env'), 'utf8');
    expect(env).toContain('OP_SESSION=session-1');
    expect(env).not.toMatch(/UNRELATED|NODE_OPTIONS/);
  },
);

verifies(
  ['V2'],
  'a command that fails, hangs or floods is ended, said, and its output is not repeated',
  async () => {
    const pidFile = join(folder.path, 'pid');
    const cases: readonly (readonly [string, Partial<Limits>, string])[] = [
      ['echo half-a-secret; echo half-a-secret >&2; exit 3', {}, 'failed with exit code 3'],
      [
        `echo half-a-secret; sleep 60 & echo $! > ${pidFile}; wait`,
        { referenceCommandMs: 300 },
        'did not answer within 0.3 seconds',
      ],
      ['while :; do echo half-a-secret; done', {}, 'printed too much for a secret'],
      ['kill -9 $$', {}, 'failed with SIGKILL'],
    ];
    for (const [script, quick, what] of cases) {
      const run = await runnerFor('pass', script, quick);
      const error = await run(['pass', 'show', 'x'], {}).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'missing_input',
        owner: 'you',
        message: `The command pass ${what}.`,
      });
      expect(JSON.stringify(error)).not.toContain('half-a-secret');
    }
    // The whole group is gone, not only its head.
    const sleeper = Number(await readFile(pidFile, 'utf8'));
    await expect.poll(() => isAlive(sleeper)).toBe(false);
  },
);

verifies(['V2'], 'a cancelled start ends its command, and a missing program is named', async () => {
  const run = await runnerFor('bw', 'exec sleep 60');
  const abort = new AbortController();
  const asked = run(['bw', 'get', 'x'], { signal: abort.signal });
  setTimeout(() => abort.abort(), 100);
  await expect(asked).rejects.toMatchObject({ message: 'The command bw was cancelled.' });
  await expect(run(['gopass', 'show', 'x'], {})).rejects.toMatchObject({ code: 'missing_command' });
});

verifies(['V2'], 'while a secret is fetched it is in nobody’s argument list', async () => {
  const run = await runnerFor('op', `echo canary-from-op-4711; sleep 0.3`);
  const asked = run(['op', 'read', 'op://x'], {});
  let seen = '';
  for (let look = 0; look < 5; look += 1) {
    await clock.sleep(50);
    seen += commandLines();
  }
  expect(await asked).toBe('canary-from-op-4711\n');
  expect(seen).toContain('op://x');
  // The script itself names its value; what is looked for is an argument.
  expect(seen).not.toContain('canary-from-op-4711');
});

function commandLines(): string {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
      } catch {
        return ''; // it went while we looked
      }
    })
    .join('\n');
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
