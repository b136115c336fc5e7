import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Storage } from '../../src/storage/open.ts';
import type { ModelStore, StoredModel } from '../../src/vault/models.ts';
import { verifies } from '../requirements.ts';
import { ODD_TEXTS } from './storage-kinds.ts';

/** What every store of models promises. Each test has an owner of its own. */
export function modelStoreContract(name: string, open: () => Promise<Storage>): void {
  describe(name, () => {
    let storage: Storage;
    let store: ModelStore;
    let owners = 0;
    const newOwner = (): string => `model-owner-${(owners += 1)}`;

    beforeAll(async () => {
      storage = await open();
      store = storage.models;
    });
    afterAll(() => storage.close());

    verifies(['A1', 'H2'], 'a model comes back as it was put, whatever its texts hold', async () => {
      const owner = newOwner();
      const whole = modelOf({
        name: 'whole',
        url: 'http://127.0.0.1:11434/v1',
        contextTokens: 1_000_000,
        price: { input: 0.25, output: 12.5 },
        chosen: 1_789_000_000_123,
      });
      await store.putModel(owner, whole);
      expect(await store.listModels(owner)).toStrictEqual([whole]);
      for (const text of ODD_TEXTS) await store.putModel(owner, modelOf({ name: text, model: text }));
      expect(await store.listModels(owner)).toHaveLength(ODD_TEXTS.length + 1);
      for (const text of ODD_TEXTS) expect(await store.deleteModel(owner, text)).toBe(true);
    });

    verifies(['A1', 'H2'], 'models are listed by name; one of the same name is replaced whole', async () => {
      const owner = newOwner();
      for (const model of ['b', 'a', 'C']) await store.putModel(owner, modelOf({ name: model }));
      expect((await store.listModels(owner)).map((model) => model.name)).toEqual(['C', 'a', 'b']);
      await store.putModel(owner, modelOf({ name: 'a', contextTokens: 9 }));
      await store.putModel(owner, modelOf({ name: 'a', model: 'other' }));
      expect((await store.listModels(owner))[1]).toStrictEqual(modelOf({ name: 'a', model: 'other' }));
    });

    verifies(['A1', 'H2'], 'an owner neither sees nor forgets the models of another', async () => {
      const [mine, theirs] = [newOwner(), newOwner()];
      await store.putModel(theirs, modelOf({ name: 'm' }));
      expect(await store.listModels(mine)).toEqual([]);
      expect(await store.deleteModel(mine, 'm')).toBe(false);
      await store.putModel(mine, modelOf({ name: 'm', model: 'mine' }));
      expect(await store.listModels(theirs)).toStrictEqual([modelOf({ name: 'm' })]);
      expect(await store.deleteModel(theirs, 'm')).toBe(true);
      expect(await store.deleteModel(theirs, 'm')).toBe(false);
      expect(await store.listModels(mine)).toHaveLength(1);
    });
  });
}

export function modelOf(given: Partial<StoredModel>): StoredModel {
  return { name: 'fast', provider: 'compatible', model: 'gemma3', createdAt: 1, ...given };
}
