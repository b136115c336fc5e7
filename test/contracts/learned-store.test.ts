import { openStorage } from '../../src/storage/open.ts';
import { learnedStoreContract } from './learned-store.ts';
import { everyStorage } from './storage-kinds.ts';

for (const { kind, options } of everyStorage()) learnedStoreContract(kind, () => openStorage(options()));
