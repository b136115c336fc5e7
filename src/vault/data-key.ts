import { createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { KEY_BYTES, seal, unseal } from './seal.ts';

/** A key that seals records. In memory only as a KeyObject, which prints nothing of itself. */
export interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
}

export function newDataKey(id: string): DataKey {
  return { id, key: keyFrom(randomBytes(KEY_BYTES)) };
}

/** Seals a data key with the master key. Changing the master key changes this text and nothing else. */
export function wrapKey({ id, key }: DataKey, master: KeyObject, masterId: string): string {
  const bytes = key.export();
  try {
    return seal(master, bytes, contextOf(id, masterId));
  } finally {
    bytes.fill(0);
  }
}

/** Undefined when it is another master key, or when the wrapped key was changed. */
export function unwrapKey(
  { id, wrapped }: { readonly id: string; readonly wrapped: string },
  master: KeyObject,
  masterId: string,
): DataKey | undefined {
  const bytes = unseal(master, wrapped, contextOf(id, masterId));
  return bytes?.length === KEY_BYTES ? { id, key: keyFrom(bytes) } : undefined;
}

/** Takes the bytes over: they are wiped, so that no copy of the key lies around. */
export function keyFrom(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

function contextOf(keyId: string, masterId: string): string {
  return JSON.stringify(['plugboard data key', keyId, masterId]);
}
