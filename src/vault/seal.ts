import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { secretBytes } from '../base/ids.ts';

/** AES-256-GCM with a random nonce. Opening needs the same `context`: sealed texts can't change places. */
export function seal(key: KeyObject, plain: Uint8Array, context: string): string {
  const nonce = newNonce();
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([FORMAT, nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Undefined when the key, the context or one bit of the text is wrong. */
export function unseal(key: KeyObject, sealed: string, context: string): Buffer | undefined {
  const bytes = Buffer.from(sealed, 'base64url');
  // Node's decoder skips unknown characters: only the one right spelling counts.
  if (bytes.toString('base64url') !== sealed) return undefined;
  if (bytes.length < HEAD_BYTES || bytes[0] !== FORMAT[0]) return undefined;
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  // Without authTagLength Node would accept a tag of four bytes, which can be guessed.
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  const plain = decipher.update(bytes.subarray(HEAD_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined; // the tag does not fit
  } finally {
    plain.fill(0);
  }
}

/** Random: several processes seal under one key and share no counter. */
export function newNonce(): Buffer {
  return secretBytes(NONCE_BYTES);
}

const ALGORITHM = 'aes-256-gcm';
/** The first byte names the format. */
const FORMAT = Buffer.from([1]);
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = FORMAT.length + NONCE_BYTES + TAG_BYTES;
export const KEY_BYTES = 32;

/** A key that seals records. A KeyObject never prints its bytes. */
export interface DataKey {
  readonly id: string;
  readonly key: KeyObject;
}

export function newDataKey(id: string): DataKey {
  return { id, key: keyFrom(secretBytes(KEY_BYTES)) };
}

export function wrapKey({ id, key }: DataKey, master: KeyObject, masterId: string): string {
  const bytes = key.export();
  try {
    return seal(master, bytes, keyContext(id, masterId));
  } finally {
    bytes.fill(0);
  }
}

/** Undefined for another master key, or when the wrapped key was changed. */
export function unwrapKey(
  { id, wrapped }: { readonly id: string; readonly wrapped: string },
  master: KeyObject,
  masterId: string,
): DataKey | undefined {
  const bytes = unseal(master, wrapped, keyContext(id, masterId));
  return bytes?.length === KEY_BYTES ? { id, key: keyFrom(bytes) } : undefined;
}

/** Wipes the bytes, so that no copy of the key stays. */
export function keyFrom(bytes: Buffer): KeyObject {
  const key = createSecretKey(bytes);
  bytes.fill(0);
  return key;
}

function keyContext(keyId: string, masterId: string): string {
  return JSON.stringify(['plugboard data key', keyId, masterId]);
}
