import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Paths } from '../../base/paths.ts';
import { isOurs } from '../../base/private-files.ts';

/** Files of ours with something in them that is only for their owner; the user's own are not among them. */
const OWN = /^(?:plugboard\.db(?:-wal|-shm)?|hub\.(?:json|token|log(?:\.1)?))$|\.key$/;

/** Those of our files that others may read. */
export async function exposedFiles({ data, state }: Paths): Promise<readonly string[]> {
  if (process.platform === 'win32') return []; // the folder of the user is private by its access list
  const folders = [...new Set([data, state, join(data, 'vault')])];
  const files = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => []);
      return names.filter((name) => OWN.test(name)).map((name) => join(folder, name));
    }),
  );
  const all = files.flat();
  const open = await Promise.all(all.map(isExposed));
  return all.filter((_, index) => open[index]);
}

async function isExposed(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined); // it went while we looked
  return found !== undefined && found.isFile() && isOurs(found.uid) && (found.mode & 0o077) !== 0;
}
