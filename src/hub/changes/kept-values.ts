import { gunzipSync, gzipSync } from 'node:zlib';
import { Secret } from '../../base/secret.ts';
import { isLockedVault } from '../../vault/locked.ts';
import { toPlugError } from '../../base/errors.ts';
import type { Core } from '../core.ts';

type Keeper = Pick<Core, 'vault' | 'owner' | 'limits'>;

/** Of a piece before it is written as base64, so that each fits into one record of the vault. */
const PIECE_BYTES = 128 * 1024;

/** Keeps bytes sealed in the vault, in pieces; answers the names of the pieces. */
export async function keepBytes(
  { vault, owner }: Keeper,
  name: string,
  bytes: Buffer,
): Promise<readonly string[]> {
  const packed = gzipSync(bytes);
  const names: string[] = [];
  for (let start = 0; start === 0 || start < packed.length; start += PIECE_BYTES) {
    const piece = `${name}:${names.length}`;
    const text = packed.subarray(start, start + PIECE_BYTES).toString('base64');
    await vault.write({ owner, kind: 'undo', name: piece }, new Secret(text));
    names.push(piece);
  }
  return names;
}

/** Undefined when a piece is gone. */
export async function keptBytes(
  { vault, owner, limits }: Keeper,
  names: readonly string[],
): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  for (const name of names) {
    const piece = await vault.read({ owner, kind: 'undo', name });
    if (!piece) return undefined;
    pieces.push(Buffer.from(piece.value.reveal(), 'base64'));
  }
  return gunzipSync(Buffer.concat(pieces), { maxOutputLength: limits.clientFileBytesMax });
}

/** Keeps the value of a secret under another name; undefined when there is none or the vault is locked. */
export async function keepSecret(
  { vault, owner }: Keeper,
  secret: string,
  name: string,
): Promise<string | undefined> {
  try {
    const value = await vault.get(owner, secret);
    if (!value) return undefined;
    await vault.write({ owner, kind: 'undo', name }, value);
    return name;
  } catch (error) {
    // Removing a server must not need the passphrase: its keys are then to be given again.
    if (isLockedVault(toPlugError(error))) return undefined;
    throw error;
  }
}

export async function keptSecret({ vault, owner }: Keeper, name: string): Promise<Secret | undefined> {
  return (await vault.read({ owner, kind: 'undo', name }))?.value;
}

/** Deletes everything that was kept for one change. */
export async function forgetKept({ vault, owner }: Keeper, change: string): Promise<void> {
  for (const name of await vault.list(owner, 'undo')) {
    if (name.startsWith(`${change}:`)) await vault.deleteRecord({ owner, kind: 'undo', name });
  }
}
