import { expect } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { modelOf, modelStoreContract } from './model-store.ts';
import { everyStorage } from './storage-kinds.ts';

for (const { kind, options } of everyStorage()) {
  modelStoreContract(kind, () => openStorage(options()));
  if (kind === 'memory') continue; // nothing of it is left

  verifies(['A1', 'H2'], `models on ${kind} outlive the process that put them there`, async () => {
    {
      await using storage = await openStorage(options());
      await storage.models.putModel('lasting', modelOf({ name: 'kept' }));
    }
    await using storage = await openStorage(options());
    expect(await storage.models.listModels('lasting')).toStrictEqual([modelOf({ name: 'kept' })]);
  });
}
