import { afterAll, beforeAll, describe, expect } from 'vitest';
import { openStorage, type Storage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { everyStorage, ODD_TEXTS } from './storage-kinds.ts';

/** What every store of changes and of versions promises. */
for (const { kind, options } of everyStorage()) {
  describe(kind, () => {
    let storage: Storage;
    beforeAll(async () => {
      storage = await openStorage(options());
    });
    afterAll(() => storage.close());

    verifies(
      ['S20', 'H2'],
      'a change comes back as it was put, is replaced whole and seen by its owner',
      async () => {
        const { changes } = storage;
        const change = { id: 'change_1', place: 1, body: { texts: [...ODD_TEXTS], state: 'open' } };
        await changes.putChange('mine', change);
        expect(await changes.listChanges('mine')).toStrictEqual([change]);
        const done = { ...change, body: { state: 'done' } };
        await changes.putChange('mine', done);
        expect(await changes.listChanges('mine')).toStrictEqual([done]);
        expect(await changes.listChanges('theirs')).toEqual([]);
        expect(await changes.deleteChange('theirs', 'change_1')).toBe(false);
        expect(await changes.deleteChange('mine', 'change_1')).toBe(true);
        expect(await changes.listChanges('mine')).toEqual([]);
      },
    );

    verifies(
      ['S21', 'H2'],
      'the version of a server comes back as it was put, one for each server',
      async () => {
        const { versions } = storage;
        const first = { server: 'a', version: '1.0.0', since: 1 };
        await versions.putVersion('mine', first);
        await versions.putVersion('mine', { ...first, version: '2.0.0', latest: '3.0.0', checkedAt: 2 });
        await versions.putVersion('theirs', first);
        expect(await versions.listVersions('mine')).toStrictEqual([
          { server: 'a', version: '2.0.0', since: 1, latest: '3.0.0', checkedAt: 2 },
        ]);
        expect(await versions.deleteVersion('mine', 'a')).toBe(true);
        expect(await versions.listVersions('theirs')).toStrictEqual([first]);
      },
    );
  });
}
