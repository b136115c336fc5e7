import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ResultStore, StoredResult } from '../../src/calls/stored-result.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { resultOf } from './result-store-shape.ts';
import { ODD_TEXTS } from './storage-kinds.ts';

const MB = 1024 * 1024;

/** What every store of results promises. Each test has an owner of its own. */
export function resultStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: ResultStore;
    let owners = 0;
    const newOwner = (): string => `results-owner-${(owners += 1)}`;
    const put = (owner: string, given: Partial<StoredResult>): Promise<void> =>
      store.putResult(owner, resultOf({ pieces: 1, ...given }), ['piece']);
    const idsOf = async (owner: string): Promise<string[]> =>
      (await store.listResults(owner)).map(({ id }) => id);

    beforeAll(async () => {
      storage = await open();
      store = storage.results;
    });
    afterAll(() => storage.close());

    verifies(
      ['H2'],
      'a result comes back exactly as it was put, whatever its pieces hold',
      async () => {
        const owner = `${newOwner()}\0`;
        // A text that is cut anywhere may be cut within a character.
        const pieces = [...ODD_TEXTS, '😀'.slice(0, 1), '😀'.slice(1), '"\\u0000"', '\ufffd'];
        for (const id of ODD_TEXTS) {
          const result = resultOf({ id, tool: id, pieces: pieces.length });
          expect(await store.getResult(owner, id)).toBeUndefined();
          await store.putResult(owner, result, pieces);
          expect(await store.getResult(owner, id)).toStrictEqual(result);
          const back = await Promise.all(pieces.map((_, index) => store.getPiece(owner, id, index)));
          expect(back).toEqual(pieces);
        }
        for (const index of [-1, 0.5, pieces.length, 2 ** 40, Number.NaN, Number.POSITIVE_INFINITY]) {
          expect(await store.getPiece(owner, 'plain', index)).toBeUndefined();
        }
        expect(await store.getPiece(owner, 'nobody', 0)).toBeUndefined();
      },
      20_000,
    );

    verifies(
      ['H2'],
      'a result of 20 MB is put in pieces and read back whole, while others go on',
      async () => {
        const owner = newOwner();
        const pieces = Array.from({ length: 20 }, (_, index) =>
          `${index} {"text":"Größe \\u0000 ok"} `.repeat(MB / 16).slice(0, MB),
        );
        let turns = 0;
        const during = { put: true };
        const putting = store
          .putResult(owner, resultOf({ bytes: 20 * MB, pieces: 20 }), pieces)
          .finally(() => (during.put = false));
        while (during.put) {
          // Another store answers all the while.
          expect(await storage.policy.listGrants(owner)).toEqual([]);
          await new Promise((resolve) => setImmediate(resolve));
          turns += 1;
        }
        await putting;
        expect(turns).toBeGreaterThanOrEqual(10);
        for (const [index, piece] of pieces.entries()) {
          // Comparing strings of a megabyte with toBe would print them both.
          expect((await store.getPiece(owner, 'r', index)) === piece).toBe(true);
        }
      },
      30_000,
    );

    verifies(['H2'], 'putting a result again replaces all its pieces', async () => {
      const owner = newOwner();
      await store.putResult(owner, resultOf({ pieces: 3 }), ['a', 'b', 'c']);
      await store.putResult(owner, resultOf({ pieces: 1, bytes: 1 }), ['d']);
      expect(await store.listResults(owner)).toStrictEqual([resultOf({ pieces: 1, bytes: 1 })]);
      expect(await store.getPiece(owner, 'r', 0)).toBe('d');
      expect(await store.getPiece(owner, 'r', 1)).toBeUndefined();
    });

    verifies(['H2'], 'results are listed newest first, also those of one moment', async () => {
      const owner = newOwner();
      for (const [id, createdAt] of [
        ['a', 5],
        ['b', 1],
        ['c', 1_789_000_000_000],
        ['d', 5],
      ] as const) {
        await put(owner, { id, createdAt });
      }
      expect(await idsOf(owner)).toEqual(['c', 'd', 'a', 'b']);
    });

    verifies(['H2'], 'a deleted result is gone with its pieces, and is deleted once', async () => {
      const owner = newOwner();
      await put(owner, { id: 'a\0' });
      await put(owner, { id: 'b' });
      const deleted = await Promise.all([1, 2, 3].map(() => store.deleteResult(owner, 'a\0')));
      expect(deleted.filter(Boolean)).toHaveLength(1);
      expect(await store.getResult(owner, 'a\0')).toBeUndefined();
      expect(await store.getPiece(owner, 'a\0', 0)).toBeUndefined();
      expect(await idsOf(owner)).toEqual(['b']);
    });

    verifies(['H2'], 'an owner never sees, deletes or prunes what belongs to another', async () => {
      const [mine, theirs] = [newOwner(), newOwner()];
      await put(theirs, { id: 'r' });
      expect(await store.getResult(mine, 'r')).toBeUndefined();
      expect(await store.getPiece(mine, 'r', 0)).toBeUndefined();
      expect(await store.listResults(mine)).toEqual([]);
      expect(await store.deleteResult(mine, 'r')).toBe(false);
      expect(await store.pruneResults(mine, { now: Number.MAX_SAFE_INTEGER, bytesMax: 0 })).toBe(0);
      await store.putResult(mine, resultOf({ pieces: 1 }), ['mine']);
      expect(await store.getPiece(theirs, 'r', 0)).toBe('piece');
    });

    verifies(['H2'], 'what expired goes first, then the oldest until the rest fits', async () => {
      const owner = newOwner();
      const soon = { expiresAt: 100 };
      await put(owner, { id: 'expired', createdAt: 9, expiresAt: 50, bytes: 1_000 });
      await put(owner, { id: 'first', createdAt: 1, ...soon, bytes: 1 });
      await put(owner, { id: 'second', createdAt: 2, ...soon, bytes: 30 });
      await put(owner, { id: 'third', createdAt: 3, ...soon, bytes: 40 });
      await put(owner, { id: 'fourth', createdAt: 3, ...soon, bytes: 40 });
      const prune = (now: number, bytesMax: number): Promise<number> =>
        store.pruneResults(owner, { now, bytesMax });
      expect(await prune(49, 5_000)).toBe(0);
      // What expired takes no room from the others.
      expect(await prune(50, 111)).toBe(1);
      expect(await idsOf(owner)).toEqual(['fourth', 'third', 'second', 'first']);
      expect(await prune(50, 110)).toBe(1);
      expect(await idsOf(owner)).toEqual(['fourth', 'third', 'second']);
      expect(await prune(50, 79)).toBe(2);
      expect(await idsOf(owner)).toEqual(['fourth']);
      expect(await store.getPiece(owner, 'third', 0)).toBeUndefined();
      expect(await prune(50, 0)).toBe(1);
      expect(await prune(50, -1)).toBe(0);
    });
  });
}
