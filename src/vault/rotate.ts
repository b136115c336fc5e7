import type { Limits } from '../base/limits.ts';
import type { Keys } from './keys.ts';
import { sealRecord, unsealRecord } from './record.ts';
import type { OwnerId } from '../servers/store.ts';
import type { RecordId, SealedRecord, VaultStore } from './store.ts';

/** Damaged records stay as they are, and so does the key that they name. */
export interface Rotation {
  readonly resealed: number;
  readonly damaged: readonly RecordId[];
}

/** May be interrupted anywhere: each record is one compare-and-swap, and a key in use is never dropped. */
export async function finishRotation(work: RotationWork): Promise<Rotation> {
  await work.keys.reload();
  const ring = await work.keys.ring();
  let resealed = 0;
  const damaged: RecordId[] = [];
  for (const { id } of ring.keys.filter((key) => key.id !== ring.current)) {
    const done = await emptyKey(id, work);
    resealed += done.resealed;
    damaged.push(...done.damaged);
  }
  return { resealed, damaged };
}

interface RotationWork {
  readonly store: VaultStore;
  readonly owner: OwnerId;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly signal: AbortSignal;
}

/** Another process may not know yet that the key is retired, and write under it until it is gone. */
async function emptyKey(keyId: string, work: RotationWork): Promise<Rotation> {
  const { store, owner: ringOwner, keys, limits, signal } = work;
  let resealed = 0;
  let damaged: RecordId[] = [];
  let refusals = 0;
  while (refusals < limits.vaultWriteAttemptsMax) {
    signal.throwIfAborted();
    const batch = await store.listRecordsUnder(ringOwner, keyId, limits.vaultRotationBatch + damaged.length);
    if (batch.length <= damaged.length) {
      if (damaged.length > 0 || (await keys.retire(keyId))) break;
      refusals += 1;
      continue;
    }
    damaged = [];
    const before = resealed;
    for (const record of batch) {
      signal.throwIfAborted();
      const done = await resealRecord(store, keys, record);
      if (done === 'resealed') resealed += 1;
      const { owner, kind, name } = record;
      if (done === 'damaged') damaged.push({ owner, kind, name });
    }
    if (resealed === before) refusals += 1;
  }
  return { resealed, damaged };
}

/** The version stays: the value is the same, and readers need not read it again. */
async function resealRecord(
  store: VaultStore,
  keys: Keys,
  record: SealedRecord,
): Promise<'resealed' | 'changed' | 'damaged'> {
  const { version, keyId } = record;
  const old = await keys.find(keyId);
  if (!old) return 'damaged';
  let value;
  try {
    value = unsealRecord(record, record, old);
  } catch {
    return 'damaged'; // left as it is, and reported by the caller
  }
  const { key } = await keys.takeForSeal();
  const result = await store.putRecord(sealRecord(record, value, { version, key }), { version, keyId });
  if (result === 'no-key') await keys.reload();
  return result === 'put' ? 'resealed' : 'changed';
}
