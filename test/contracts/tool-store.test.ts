import { expect } from 'vitest';
import { openStorage } from '../../src/storage/open.ts';
import { verifies } from '../requirements.ts';
import { everyStorage, refuseRows } from './storage-kinds.ts';
import { pinOf, toolStoreContract } from './tool-store.ts';

for (const { kind, options } of everyStorage()) {
  toolStoreContract(kind, () => openStorage(options()));
  if (kind === 'memory') continue; // nothing in it can fail

  verifies(['H2'], `pins of which ${kind} refuses one are not put at all`, async () => {
    await using storage = await openStorage(options());
    await refuseRows(options(), 'pins', 'tool');
    await storage.tools.putPins('whole', [pinOf({ tool: 'a', hash: 'before' })]);
    const many = Array.from({ length: 250 }, (_, index) => pinOf({ tool: `a${index}` }));
    const pins = [pinOf({ tool: 'a', hash: 'after' }), ...many, pinOf({ tool: 'refused' })];
    await expect(storage.tools.putPins('whole', pins)).rejects.toMatchObject({ code: 'storage_failed' });
    expect((await storage.tools.listPins('whole')).map(({ hash }) => hash)).toEqual(['before']);
  });
}
