import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { LearnedQueriesOfTool, LearnedStore, LearnedTool } from '../../src/catalog/learned/store.ts';
import type { Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { ODD_TEXTS } from './storage-kinds.ts';

/** What every store of learned things promises. Each test has an owner of its own. */
export function learnedStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: LearnedStore;
    beforeAll(async () => {
      storage = await open();
      store = storage.learned;
    });
    afterAll(() => storage.close());

    verifies(
      ['H2'],
      'what was learned comes back as it was, whatever server and tool are called',
      async () => {
        const rows = ODD_TEXTS.flatMap((odd) => [rowOf({ server: odd }), rowOf({ server: 's', tool: odd })]);
        await store.putLearned('odd', rows);
        expect(await store.listLearned('odd')).toHaveLength(rows.length);
        expect(await store.listLearned('odd')).toEqual(expect.arrayContaining(rows));
        expect(await store.listLearned('nobody')).toEqual([]);
      },
    );

    verifies(
      ['H2'],
      'the later row of a tool counts, and a server that goes takes its rows along',
      async () => {
        await store.putLearned('own', [
          rowOf({ tool: 'a' }),
          rowOf({ tool: 'b' }),
          rowOf({ server: 'other' }),
        ]);
        await store.putLearned('own', [rowOf({ tool: 'a', seen: 9, hash: 'second' })]);
        await store.putLearned('own', []);
        expect(await store.listLearned('own')).toEqual([
          rowOf({ server: 'other' }),
          rowOf({ tool: 'a', seen: 9, hash: 'second' }),
          rowOf({ tool: 'b' }),
        ]);
        await store.forgetServer('own', 'server');
        await store.forgetServer('own', 'server');
        expect(await store.listLearned('own')).toEqual([rowOf({ server: 'other' })]);
      },
    );

    verifies(
      ['H2', 'T7'],
      'queries that led to a tool come back in their order, go with their server, and are cleared for one owner',
      async () => {
        const odd = ODD_TEXTS.map((tool) => queriesOf({ tool, queries: ['send letter', tool] }));
        await store.putQueries('words', odd);
        await store.putQueries('others', [queriesOf({ queries: ['a'] })]);
        expect(await store.listQueries('words')).toEqual(expect.arrayContaining(odd));
        await store.putQueries('words', [queriesOf({ server: 'other', queries: ['z', 'b', 'a'] })]);
        await store.forgetServer('words', 'server');
        expect(await store.listQueries('words')).toEqual([
          queriesOf({ server: 'other', queries: ['z', 'b', 'a'] }),
        ]);
        await store.clearQueries('words');
        await store.clearQueries('words');
        expect(await store.listQueries('words')).toEqual([]);
        expect(await store.listQueries('others')).toEqual([queriesOf({ queries: ['a'] })]);
      },
    );
  });
}

function queriesOf(given: Partial<LearnedQueriesOfTool>): LearnedQueriesOfTool {
  return { server: 'server', tool: 'tool', queries: [], ...given };
}

function rowOf(given: Partial<LearnedTool>): LearnedTool {
  return { server: 'server', tool: 'tool', hash: 'hash', seen: 1, schema: { type: 'object' }, ...given };
}
