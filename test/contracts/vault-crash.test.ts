import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import type { StorageOptions } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { shared } from '../suite/run-resources.ts';
import { shareOf } from '../suite/share-of.ts';
import { openVaultIn, temporaryFolder } from './vault-store-open.ts';
import { programFile } from '../suite/program-file.ts';

let root: { readonly path: string } & AsyncDisposable;
let database: string;
beforeAll(async () => {
  root = await temporaryFolder();
  database = await shared('database');
});
afterAll(async () => {
  await root[Symbol.asyncDispose]();
});

/** Starts a writer, kills it at a random moment, and answers what it had acknowledged. */
async function killOnce(folder: string, storage: StorageOptions, prefix: string): Promise<readonly string[]> {
  const program = programFile('contracts/vault-writer');
  const child = spawn(process.execPath, [program, folder, JSON.stringify(storage), prefix], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const acknowledged: string[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const enough = Promise.withResolvers<void>();
  const wanted = 1 + Math.floor(Math.random() * 15);
  createInterface({ input: child.stdout }).on('line', (line) => {
    acknowledged.push(line);
    if (acknowledged.length >= wanted) enough.resolve();
  });
  const closed = once(child, 'close');
  await Promise.race([enough.promise, closed]);
  await sleep(Math.random() * 8);
  child.kill('SIGKILL');
  const [code] = await closed;
  expect({ code, stderr }).toEqual({ code: null, stderr: '' });
  return acknowledged;
}

for (const [kind, kills] of [
  ['sqlite', shareOf(100, 24)],
  ['postgres', shareOf(16, 8)],
] as const) {
  verifies(
    ['V1', 'V6'],
    `after ${kills} × kill -9 during writes and rotations on ${kind} no acknowledged secret is lost and none is corrupt`,
    async () => {
      const folder = join(root.path, kind);
      const storage: StorageOptions =
        kind === 'sqlite' ? { kind, file: join(folder, 'plug.db') } : { kind, url: database };
      const acknowledged = new Map<string, readonly string[]>();
      let rotations = 0;
      for (let round = 0; round < kills; round += 2) {
        // Two at once: they also write and rotate against each other.
        await Promise.all(
          [`r${round}`, `r${round + 1}`].map(async (prefix) => {
            const lines = await killOnce(folder, storage, prefix);
            acknowledged.set(
              prefix,
              lines.filter((line) => line !== 'rotated'),
            );
            rotations += lines.filter((line) => line === 'rotated').length;
          }),
        );
      }
      await using opened = await openVaultIn(folder, { storage });
      const { vault } = opened;
      let checked = 0;
      for (const [prefix, names] of acknowledged) {
        for (const name of names) {
          expect((await vault.get('local', name))?.reveal()).toBe(`value of ${name}`);
          checked += 1;
        }
        if (names.length === 0) continue;
        const last = Number((await vault.get('local', `shared/${prefix}`))?.reveal());
        expect(last).toBeGreaterThanOrEqual(names.length - 1);
      }
      expect(checked).toBeGreaterThan(kills);
      expect(rotations).toBeGreaterThan(0);
      // Also what nobody acknowledged is whole.
      for (const name of await vault.list('local')) expect(await vault.get('local', name)).toBeDefined();
      opened.vault.resume();
      await expect.poll(async () => (await vault.status()).keys).toBe(1);
      expect(await readdir(join(folder, 'vault'))).toHaveLength(1);
    },
    300_000,
  );
}
