import { hash, timingSafeEqual } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { createPrivateFile, readPrivateFile } from '../base/private-files.ts';
import { secretBytes } from '../base/ids.ts';

/** Compares in constant time; the token itself is not kept in memory. */
export type IsToken = (given: string) => boolean;

/** The token for the loopback port: made once, kept in a file that only the user can read. */
export async function openToken(file: string): Promise<IsToken> {
  const kept = (await readPrivateFile(file))?.trim();
  const token = kept && TOKEN.test(kept) ? kept : await makeToken(file);
  const digest = digestOf(token);
  return (given) => timingSafeEqual(digest, digestOf(given));
}

const TOKEN = /^[\w-]{43}$/;

/** A half-written file of a crash is replaced; the caller holds the hub's lock. */
async function makeToken(file: string): Promise<string> {
  const token = secretBytes(32).toString('base64url');
  await rm(file, { force: true });
  await createPrivateFile(file, `${token}\n`);
  return token;
}

function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
