import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Storage } from '../../src/storage/open.ts';
import type { KeyRing, RecordId, SealedRecord } from '../../src/vault/store.ts';
import { verifies } from '../requirements.ts';

/** Whose keys they are, where a test has records of several owners. */
const KEEPER = 'keeper';

/** What every store of the vault promises. Each test has owners and keys of its own. */
export function vaultStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let count = 0;
    const fresh = (what: string): string => `${what}-${(count += 1)}`;
    const newKey = async (): Promise<string> => {
      const key = fresh('key');
      await storage.vault.addKey(KEEPER, key);
      return key;
    };

    beforeAll(async () => {
      storage = await open();
    });
    afterAll(() => storage.close());

    test('a record comes back exactly as it was put, whatever its owner and name are', async () => {
      const keyId = await newKey();
      for (const odd of [
        'plain',
        'ümläut',
        'a\0b',
        '\ud800',
        'x'.repeat(500),
        '__proto__',
        "'; drop table",
      ]) {
        const record = recordOf({ owner: fresh(odd), name: odd, keyId, server: 's', account: 'a' });
        expect(await storage.vault.getRecord(record)).toBeUndefined();
        expect(await storage.vault.putRecord(record, 'absent')).toBe('put');
        expect(await storage.vault.getRecord(record)).toEqual(record);
        expect(await storage.vault.listRecords(record.owner, 'secret')).toEqual([record]);
        expect(await storage.vault.listRecords(record.owner, 'token')).toEqual([]);
        expect(await storage.vault.deleteRecord(record)).toBe(true);
        expect(await storage.vault.deleteRecord(record)).toBe(false);
      }
    });

    test('a write happens only when the stored record is the expected one', async () => {
      const [first, second] = [await newKey(), await newKey()];
      const record = recordOf({ owner: fresh('owner'), keyId: first, version: 5 });
      const put = storage.vault.putRecord.bind(storage.vault);
      expect(await put(record, { version: 5 })).toBe('conflict');
      expect(await put(record, 'absent')).toBe('put');
      expect(await put({ ...record, sealed: 'other' }, 'absent')).toBe('conflict');
      expect(await put({ ...record, version: 6, sealed: 'six' }, { version: 4 })).toBe('conflict');
      expect(await put({ ...record, version: 6, sealed: 'six' }, { version: 5, keyId: second })).toBe(
        'conflict',
      );
      expect(await storage.vault.getRecord(record)).toEqual(record);
      const moved = { ...record, keyId: second, sealed: 'moved' };
      expect(await put(moved, { version: 5, keyId: first })).toBe('put');
      expect(await storage.vault.getRecord(record)).toEqual(moved);
      expect(await put({ ...moved, version: 7, sealed: 'seven' }, { version: 5 })).toBe('put');
      expect((await storage.vault.getRecord(record))?.sealed).toBe('seven');
    });

    test('of many writes over one version exactly one happens', async () => {
      const keyId = await newKey();
      const record = recordOf({ owner: fresh('owner'), keyId });
      await storage.vault.putRecord(record, 'absent');
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.vault.putRecord({ ...record, version: 2, sealed: `seal ${index}` }, { version: 1 }),
        ),
      );
      expect(results.filter((result) => result === 'put')).toHaveLength(1);
      const winner = results.indexOf('put');
      expect((await storage.vault.getRecord(record))?.sealed).toBe(`seal ${winner}`);
    });

    verifies(
      ['V6'],
      'no record is put under a key that is not there, and no key goes while it is needed',
      async () => {
        const keyId = await newKey();
        const record = recordOf({ owner: fresh('owner'), keyId });
        expect(await storage.vault.putRecord({ ...record, keyId: fresh('unknown') }, 'absent')).toBe(
          'no-key',
        );
        await storage.vault.putRecord(record, 'absent');
        expect(await storage.vault.putRecord({ ...record, keyId: fresh('unknown') }, { version: 1 })).toBe(
          'no-key',
        );
        expect(await storage.vault.retireKey(KEEPER, keyId)).toBe(false);
        expect(await storage.vault.getRecord(record)).toEqual(record);
        await storage.vault.deleteRecord(record);
        expect(await storage.vault.retireKey(KEEPER, keyId)).toBe(true);
        expect(await storage.vault.retireKey(KEEPER, keyId)).toBe(true);
        expect(await storage.vault.putRecord(record, 'absent')).toBe('no-key');
      },
    );

    verifies(
      ['V6'],
      'however writes and the end of a key meet, no record is left without its key',
      async () => {
        for (let round = 0; round < 15; round += 1) {
          const keyId = await newKey();
          const record = recordOf({ owner: fresh('owner'), keyId });
          const [retired, put] = await Promise.all([
            storage.vault.retireKey(KEEPER, keyId),
            storage.vault.putRecord(record, 'absent'),
          ]);
          expect([retired, put]).toEqual(retired ? [true, 'no-key'] : [false, 'put']);
        }
      },
    );

    test('the key ring changes only from the version that was read', async () => {
      const [owner, other] = [fresh('owner'), fresh('owner')];
      const ring: KeyRing = { version: 1, master: { kind: 'file', id: 'm' }, current: 'k', keys: [] };
      expect(await storage.vault.getKeyRing(owner)).toBeUndefined();
      expect(await storage.vault.putKeyRing(owner, { ...ring, version: 9 }, 8)).toBe(false);
      const made = await Promise.all(
        [1, 2, 3].map((id) => storage.vault.putKeyRing(owner, { ...ring, current: `k${id}` }, 0)),
      );
      expect(made.filter(Boolean)).toHaveLength(1);
      const { current } = (await storage.vault.getKeyRing(owner)) ?? ring;
      expect(current).toBe(`k${made.indexOf(true) + 1}`);
      expect(await storage.vault.putKeyRing(owner, { ...ring, version: 2, current: 'next' }, 1)).toBe(true);
      expect(await storage.vault.putKeyRing(owner, { ...ring, version: 2, current: 'late' }, 1)).toBe(false);
      expect((await storage.vault.getKeyRing(owner))?.current).toBe('next');
      expect(await storage.vault.getKeyRing(other)).toBeUndefined();
      expect(await storage.vault.putKeyRing(other, ring, 0)).toBe(true);
      expect((await storage.vault.getKeyRing(owner))?.current).toBe('next');
    });

    verifies(['V6'], 'what belongs to a server or an account goes with it, and nothing else', async () => {
      const keyId = await newKey();
      const [owner, other] = [fresh('owner'), fresh('owner')];
      const records = [
        recordOf({ owner, keyId, name: 'github/nick/token', server: 'github', account: 'nick' }),
        recordOf({
          owner,
          keyId,
          name: 'github/nick/oauth',
          server: 'github',
          account: 'nick',
          kind: 'token',
        }),
        recordOf({ owner, keyId, name: 'github/work/token', server: 'github', account: 'work' }),
        recordOf({ owner, keyId, name: 'github/host', server: 'github' }),
        recordOf({ owner, keyId, name: 'github2/token', server: 'github2' }),
        recordOf({ owner, keyId, name: 'mine' }),
        recordOf({ owner: other, keyId, name: 'github/nick/token', server: 'github', account: 'nick' }),
      ];
      for (const record of records) await storage.vault.putRecord(record, 'absent');
      const left = async (): Promise<string[]> => {
        const found = await Promise.all(records.map((record) => storage.vault.getRecord(record)));
        return found.filter((record) => record !== undefined).map((record) => record.name);
      };
      expect(await storage.vault.deleteRecordsOf(owner, { server: 'github', account: 'nick' })).toBe(2);
      expect(await left()).toEqual([
        'github/work/token',
        'github/host',
        'github2/token',
        'mine',
        'github/nick/token',
      ]);
      expect(await storage.vault.deleteRecordsOf(owner, { server: 'github' })).toBe(2);
      expect(await left()).toEqual(['github2/token', 'mine', 'github/nick/token']);
      expect(await storage.vault.deleteRecordsOf(owner, { server: 'github' })).toBe(0);
      expect((await storage.vault.listRecordsUnder(owner, keyId, 2)).length).toBe(2);
      expect(await storage.vault.hasRecords(owner)).toBe(true);
      expect(await storage.vault.hasRecords(fresh('owner'))).toBe(false);
    });

    verifies(['V8'], 'an account is there once, and one of a server’s accounts is the default', async () => {
      const [owner, other] = [fresh('owner'), fresh('owner')];
      const { accounts } = storage;
      const seen = async (): Promise<string[]> =>
        (await accounts.listAccounts(owner, 's')).map((one) =>
          one.isDefault ? `*${one.account}` : one.account,
        );
      expect(await seen()).toEqual([]);
      // The clock went back between the first two: the order of arrival counts.
      for (const [account, createdAt] of [
        ['c', 9],
        ['a', 3],
        ['b', 5],
      ] as const) {
        expect(await accounts.addAccount(owner, { server: 's', account, createdAt })).toBe(true);
      }
      expect(await accounts.addAccount(owner, { server: 's', account: 'a', createdAt: 99 })).toBe(false);
      expect(await accounts.addAccount(owner, { server: 't', account: 'a', createdAt: 4 })).toBe(true);
      expect(await accounts.addAccount(other, { server: 's', account: 'a', createdAt: 4 })).toBe(true);
      expect(await seen()).toEqual(['*c', 'a', 'b']);
      expect(await accounts.setDefaultAccount(owner, 's', 'b')).toBe(true);
      expect(await accounts.setDefaultAccount(owner, 's', 'nobody')).toBe(false);
      expect(await seen()).toEqual(['c', 'a', '*b']);
      expect(await accounts.deleteAccount(owner, 's', 'b')).toBe(true);
      expect(await accounts.deleteAccount(owner, 's', 'b')).toBe(false);
      expect(await seen()).toEqual(['*c', 'a']);
      expect(await accounts.deleteAccount(owner, 's', 'c')).toBe(true);
      expect(await seen()).toEqual(['*a']);
      for (const displayName of ['@nick', 'Nick \u0000 \ud83d\ude00']) {
        expect(await accounts.setDisplayName(owner, { server: 's', account: 'a' }, displayName)).toBe(true);
        expect(await accounts.listAccounts(owner, 's')).toEqual([
          { server: 's', account: 'a', createdAt: 3, displayName, isDefault: true },
        ]);
      }
      expect(await accounts.setDisplayName(owner, { server: 's', account: 'a' }, undefined)).toBe(true);
      expect(await accounts.listAccounts(owner, 's')).toEqual([
        { server: 's', account: 'a', createdAt: 3, isDefault: true },
      ]);
      expect(await accounts.setDisplayName(owner, { server: 's', account: 'x' }, '@x')).toBe(false);
      expect(await accounts.deleteAccountsOf(owner, 's')).toBe(1);
      expect(await seen()).toEqual([]);
      expect(await accounts.listAccounts(owner, 't')).toHaveLength(1);
      expect(await accounts.listAccounts(other, 's')).toHaveLength(1);
    });
  });
}

function recordOf(given: Partial<SealedRecord> & Pick<SealedRecord, 'owner' | 'keyId'>): SealedRecord {
  const id: RecordId = { owner: given.owner, kind: 'secret', name: 'name' };
  return { ...id, version: 1, sealed: 'sealed', ...given };
}
