import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { openStorage, type Storage, type StorageOptions } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { resultOf } from './result-store-shape.ts';
import { resultStoreContract } from './result-store.ts';
import { everyStorage, refuseRows } from './storage-kinds.ts';
import { programFile } from '../suite/program-file.ts';

const KILLS = 6;

for (const { kind, options } of everyStorage()) {
  resultStoreContract(kind, () => openStorage(options()));
  if (kind === 'memory') continue; // it goes with its process

  verifies(
    ['H2'],
    `after ${KILLS} × kill -9 no result on ${kind} is there in part, and none that was put is lost`,
    async () => {
      const put: string[] = [];
      const begun: string[] = [];
      for (let round = 0; round < KILLS; round += 1) {
        const lines = await killWhilePutting(options(), `round${round}`);
        put.push(...lines.filter((line) => line.startsWith('put ')).map((line) => line.slice(4)));
        begun.push(...lines.filter((line) => line.startsWith('putting ')).map((line) => line.slice(8)));
      }
      await using storage = await openStorage(options());
      const there = (await storage.results.listResults('local')).map(({ id }) => id);
      expect(there).toEqual(expect.arrayContaining(put));
      expect(begun.length).toBeGreaterThan(put.length);
      for (const id of begun) expect(await piecesOf(storage, id)).toBe(there.includes(id) ? 8 : 0);
      // What was left in part expires like everything else; all of it is counted.
      const gone = await storage.results.pruneResults('local', { now: 2_000_000_000_000, bytesMax: 0 });
      expect(gone).toBeGreaterThanOrEqual(there.length);
      expect(gone).toBeLessThanOrEqual(begun.length);
    },
    120_000,
  );

  verifies(['H2'], `a result of which ${kind} refuses a piece is not there at all`, async () => {
    await using storage = await openStorage(options());
    await refuseRows(options(), 'result_pieces', 'piece');
    const putting = storage.results.putResult('whole', resultOf({ pieces: 3 }), ['a', 'b', 'refused']);
    await expect(putting).rejects.toMatchObject({ code: 'storage_failed' });
    expect(await storage.results.getResult('whole', 'r')).toBeUndefined();
    expect(await storage.results.getPiece('whole', 'r', 0)).toBeUndefined();
    // Nothing was left behind that would have to expire.
    expect(await storage.results.pruneResults('whole', { now: 2_000_000_000_000, bytesMax: 0 })).toBe(0);
    await storage.results.putResult('whole', resultOf({ pieces: 2 }), ['a', 'b']);
    expect(await storage.results.getPiece('whole', 'r', 1)).toBe('b');
  });

  verifies(
    ['H2'],
    `a result that another hub is still putting to ${kind} is neither seen nor pruned`,
    async () => {
      await using storage = await openStorage(options());
      await using other = await openStorage(options());
      const pieces = Array.from({ length: 12 }, () => 'x'.repeat(500_000));
      const during = { put: true };
      const putting = storage.results
        .putResult('shared', resultOf({ pieces: 12, bytes: 6_000_000 }), pieces)
        .finally(() => (during.put = false));
      const seen: boolean[] = [];
      while (during.put) {
        const found = await other.results.getResult('shared', 'r');
        const first = await other.results.getPiece('shared', 'r', 0);
        const pruned = during.put
          ? await other.results.pruneResults('shared', { now: 1, bytesMax: 7_000_000 })
          : 0;
        seen.push(pruned > 0 || (found !== undefined && first === undefined));
        await nextTurn(); // queries to SQLite alone would leave nobody else a turn
      }
      await putting;
      expect(seen.filter(Boolean)).toEqual([]);
      expect((await other.results.getPiece('shared', 'r', 11))?.length).toBe(500_000);
    },
  );
}

async function piecesOf(storage: Storage, id: string): Promise<number> {
  let whole = 0;
  for (let piece = 0; piece < 8; piece += 1) {
    const text = await storage.results.getPiece('local', id, piece);
    if (text?.length === 200_000 && text.startsWith(`${id} ${piece} `)) whole += 1;
  }
  return whole;
}

/** Starts a writer, kills it while it puts a result, and answers what it said. */
async function killWhilePutting(options: StorageOptions, prefix: string): Promise<readonly string[]> {
  const program = programFile('contracts/result-store-writer');
  const child = spawn(process.execPath, [program, JSON.stringify(options), prefix], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const enough = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    if (lines.length >= 5) enough.resolve();
  });
  const closed = once(child, 'close');
  await Promise.race([enough.promise, closed]);
  await sleep(Math.random() * 30);
  child.kill('SIGKILL');
  const [code] = await closed;
  expect({ code, stderr }).toEqual({ code: null, stderr: '' });
  return lines;
}
