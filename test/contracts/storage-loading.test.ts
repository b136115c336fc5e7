import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect } from 'vitest';
import type { StorageOptions } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';

const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-loading-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Opens a storage in a process of its own, with `pg` not installed; answers what it loaded. */
async function openWithoutPg(options: StorageOptions): Promise<{ loaded: string[]; error?: object }> {
  const open = pathToFileURL(join(import.meta.dirname, '../../src/storage/open.ts')).href;
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({
      resolve(name, context, next) {
        if (/^(kysely|pg|node:sqlite)/.test(name)) loaded.push(name);
        if (name === 'pg') throw Object.assign(new Error('not installed'), { code: 'ERR_MODULE_NOT_FOUND' });
        return next(name, context);
      },
    });
    const { openStorage } = await import(${JSON.stringify(open)});
    const early = loaded.length;
    let error;
    try {
      await (await openStorage(${JSON.stringify(options)})).close();
    } catch (thrown) {
      error = thrown.toView();
    }
    console.log(JSON.stringify({ early, loaded, error }));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  const { early, loaded, error } = JSON.parse(stdout) as { early: number; loaded: string[]; error?: object };
  expect(early).toBe(0);
  return { loaded: [...new Set(loaded)].toSorted(), ...(error ? { error } : {}) };
}

verifies(
  ['H2'],
  'SQLite, in a file or in memory, needs no pg, and nothing of a database is loaded before it is opened',
  async () => {
    for (const options of [{ kind: 'memory' }, { kind: 'sqlite', file: join(folder, 'plug.db') }] as const) {
      expect(await openWithoutPg(options)).toEqual({ loaded: ['kysely', 'kysely/migration', 'node:sqlite'] });
    }
  },
  20_000,
);

verifies(
  ['H2'],
  'PostgreSQL without the package pg says what to install',
  async () => {
    const { error } = await openWithoutPg({ kind: 'postgres', url: 'postgres://127.0.0.1:1/x' });
    expect(error).toMatchObject({
      code: 'storage_failed',
      owner: 'you',
      message: 'PostgreSQL needs the package “pg”, which is not installed.',
      next: 'npm install pg',
    });
  },
  20_000,
);
