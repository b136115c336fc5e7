import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { Secret } from '../base/secret.ts';
import { type DataKey, seal, unseal } from './seal.ts';
import { ownersOf } from './names.ts';
import type { RecordId, SealedRecord } from './store.ts';

/** Seals a value into a record. Owner, kind, name, version and key are bound to it. */
export function sealRecord(
  { owner, kind, name }: RecordId,
  value: Secret,
  { version, key }: { readonly version: number; readonly key: DataKey },
): SealedRecord {
  const head = { owner, kind, name, ...ownersOf(name), version, keyId: key.id };
  return { ...head, sealed: seal(key.key, bytesOf(value, name), contextOf(head)) };
}

function bytesOf(value: Secret, name: string): Buffer {
  const text = value.reveal();
  if (!text.isWellFormed()) {
    throw new PlugError('usage', `The secret “${name}” is no proper text.`, {
      owner: 'you',
      remedy: 'Encode it as base64 first.',
    });
  }
  const plain = Buffer.from(text);
  if (plain.length <= limits.vaultSecretBytesMax) return plain;
  throw new PlugError('too_large', `The secret “${name}” is too long.`, {
    owner: 'you',
    details: { bytes: plain.length, max: limits.vaultSecretBytesMax },
  });
}

/** A record of another owner or name in its place does not open, nor does one with a changed bit. */
export function unsealRecord(asked: RecordId, record: SealedRecord, key: DataKey): Secret {
  const { version, keyId, sealed } = record;
  const { owner, kind, name } = asked;
  const plain = unseal(key.key, sealed, contextOf({ owner, kind, name, version, keyId }));
  if (!plain) throw damagedRecord(asked);
  const secret = new Secret(plain.toString('utf8'));
  plain.fill(0);
  return secret;
}

export function damagedRecord({ kind, name }: RecordId): PlugError {
  const message = `The ${kind} “${name}” in the vault was changed from outside, so it is not used. It was left as it is.`;
  const remedy =
    kind === 'secret' ? ({ do: 'set-secret', name } as const) : 'Restore the database from a backup.';
  return new PlugError('storage_failed', message, { owner: 'you', remedy, details: { kind, name } });
}

type Head = Omit<SealedRecord, 'sealed' | 'server' | 'account'>;

/** JSON separates the parts whatever characters they hold. */
function contextOf({ owner, kind, name, version, keyId }: Head): string {
  return JSON.stringify(['plugboard record', keyId, owner, kind, name, version]);
}
