import { rm } from 'node:fs/promises';
import type { Ids } from '../base/ids.ts';
import { readPrivateFile, writePrivateFile } from '../base/private-files.ts';
import { parseAddress, type HubAddress } from './address.ts';

/** `hub.json`, written and read whole. Kept apart: commands need only a glance at it. */

export async function writeAddress(file: string, address: HubAddress, ids: Ids): Promise<void> {
  await writePrivateFile(file, `${JSON.stringify(address, undefined, 2)}\n`, ids);
}

/** Undefined when there is none or when it is not one: a hint for people and faces, never a proof. */
export async function readAddress(file: string): Promise<HubAddress | undefined> {
  const text = await readPrivateFile(file);
  return text === undefined ? undefined : parseAddress(text);
}

export async function removeAddress(file: string): Promise<void> {
  await rm(file, { force: true });
}
