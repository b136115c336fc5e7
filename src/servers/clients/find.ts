import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { limits } from '../../base/limits.ts';
import type { Client, ClientName, Machine, ClientPlace } from './client.ts';
import { clients } from './clients.ts';

export interface ClientFile extends ClientPlace {
  readonly client: ClientName;
}

export interface FindOptions extends Machine {
  readonly clients?: readonly ClientName[];
}

export async function findClients(options: FindOptions): Promise<readonly ClientFile[]> {
  const found = await Promise.all(wantedClients(options).map((client) => filesOf(client, options)));
  return found.flat();
}

export function wantedClients(options: FindOptions): readonly Client[] {
  return clients.filter(({ name }) => options.clients?.includes(name) ?? true);
}

async function filesOf(client: Client, machine: Machine): Promise<readonly ClientFile[]> {
  const files: ClientFile[] = [];
  for (const place of client.places(machine)) {
    const paths = await pathsOf(place);
    for (const path of paths) if (await exists(path)) files.push({ ...place, path, client: client.name });
  }
  return files;
}

async function pathsOf({ path, endings, inEach }: ClientPlace): Promise<readonly string[]> {
  if (endings) return await filesIn(path, endings);
  return inEach === undefined ? [path] : (await filesIn(path, [''])).map((folder) => join(folder, inEach));
}

async function filesIn(folder: string, endings: readonly string[]): Promise<readonly string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => endings.some((ending) => name.endsWith(ending)));
    return names
      .toSorted()
      .slice(0, limits.clientFolderFilesMax)
      .map((name) => join(folder, name));
  } catch {
    // No folder, or none that may be listed.
    return [];
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
