import { createHmac, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { sha256 } from '../base/digest.ts';
import { secretBytes, type Ids } from '../base/ids.ts';
import { createPrivateFile, readPrivateFile, writePrivateFile } from '../base/private-files.ts';
import { parseAddress, type HubAddress } from './address.ts';

export async function writeAddress(file: string, address: HubAddress, ids: Ids): Promise<void> {
  await writePrivateFile(file, `${JSON.stringify(address, undefined, 2)}\n`, ids);
}

/** Undefined when there is no readable one. A hint for people and faces, never a proof. */
export async function readAddress(file: string): Promise<HubAddress | undefined> {
  const text = await readPrivateFile(file);
  return text === undefined ? undefined : parseAddress(text);
}

/** Compares in constant time; the token itself is not kept in memory. */
export type IsToken = (given: string) => boolean;

/** The token for the loopback port: made once, in a file that only the user can read. */
export async function openToken(file: string): Promise<IsToken> {
  const kept = (await readPrivateFile(file))?.trim();
  const token = kept && TOKEN.test(kept) ? kept : await makeToken(file);
  const digest = sha256(token);
  return (given) => timingSafeEqual(digest, sha256(given));
}

/** Outlives the hub, as the token does; tells nothing about it. */
export async function keyFrom(file: string, purpose: string): Promise<Buffer> {
  const token = (await readPrivateFile(file)) ?? secretBytes(32).toString('base64url');
  return createHmac('sha256', token.trim()).update(purpose).digest();
}

const TOKEN = /^[\w-]{43}$/;

/** Replaces a half-written file of a crash; the caller holds the hub's lock. */
async function makeToken(file: string): Promise<string> {
  const token = secretBytes(32).toString('base64url');
  await rm(file, { force: true });
  await createPrivateFile(file, `${token}\n`);
  return token;
}
