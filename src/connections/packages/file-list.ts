import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';

/** One file of an installed package as it was when it was installed. */
export interface ListedFile {
  readonly path: string;
  readonly bytes: number;
  /** When the system last saw it change; nothing but the system can set this. */
  readonly changedMs: number;
  /** SHA-256 of its content, or of the target of a link. */
  readonly sum: string;
}

/** Every file below a folder with its checksum. A link that leads out of the folder is refused, but for those named. */
export async function listFiles(
  folder: string,
  limits: Limits,
  mayLeadOut: (path: string) => boolean = () => false,
): Promise<readonly ListedFile[]> {
  const found = await walk(folder, limits);
  const bad = await Promise.all(
    found.map(async ({ path, link }) => link && !mayLeadOut(path) && (await leadsOut(folder, path))),
  );
  const first = bad.indexOf(true);
  if (first >= 0) throw leading(found[first]?.path ?? '');
  const listed: ListedFile[] = [];
  for (let from = 0; from < found.length; from += READ_AT_ONCE) {
    const some = found.slice(from, from + READ_AT_ONCE);
    listed.push(
      ...(await Promise.all(some.map(async (file) => ({ ...file, sum: await sumOf(folder, file) })))),
    );
  }
  return listed;
}

const READ_AT_ONCE = 32;

/** Files that are not what they were. Those that were added later are a server's own: caches, most of all. */
export async function changedFiles(
  folder: string,
  listed: readonly ListedFile[],
  { thorough }: { readonly thorough: boolean },
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (let from = 0; from < listed.length; from += READ_AT_ONCE) {
    const some = listed.slice(from, from + READ_AT_ONCE);
    const same = await Promise.all(some.map((file) => isSame(folder, file, thorough)));
    changed.push(...some.filter((_, index) => !same[index]).map(({ path }) => path));
  }
  return changed;
}

/** Contents are read only where size or time of change differ, unless all are to be read. */
async function isSame(folder: string, file: ListedFile, thorough: boolean): Promise<boolean> {
  const found = await lstat(join(folder, file.path)).catch(() => undefined);
  if (found === undefined || !(found.isFile() || found.isSymbolicLink())) return false;
  const untouched = found.size === file.bytes && Math.abs(found.ctimeMs - file.changedMs) < 1;
  if (untouched && !thorough) return true;
  const sum = await sumOf(folder, { ...file, link: found.isSymbolicLink() }).catch(() => undefined);
  return sum === file.sum;
}

type FoundFile = Omit<ListedFile, 'sum'> & { readonly link: boolean };

async function walk(folder: string, limits: Limits): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  const folders = [folder];
  let bytes = 0;
  for (let here = folders.pop(); here !== undefined; here = folders.pop()) {
    for (const name of await readdir(here)) {
      const path = join(here, name);
      const file = await lstat(path);
      if (file.isDirectory()) folders.push(path);
      else {
        found.push({
          path: relative(folder, path),
          bytes: file.size,
          changedMs: file.ctimeMs,
          link: file.isSymbolicLink(),
        });
        bytes += file.size;
      }
    }
    if (found.length > limits.packageFilesMax || bytes > limits.packageBytesMax) throw tooLarge(limits);
  }
  return found;
}

async function sumOf(folder: string, { path, link }: Pick<FoundFile, 'path' | 'link'>): Promise<string> {
  const file = join(folder, path);
  const content = link ? await readlink(file) : await readFile(file);
  return createHash('sha256').update(content).digest('base64');
}

/** The folder itself counts as well. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function tooLarge({ packageFilesMax, packageBytesMax }: Limits): PlugError {
  const message = `The package is too large: more than ${packageFilesMax} files or ${packageBytesMax} bytes.`;
  return new PlugError('too_large', message, { owner: 'server' });
}

async function leadsOut(folder: string, path: string): Promise<boolean> {
  const file = join(folder, path);
  return !isWithin(folder, resolve(file, '..', await readlink(file)));
}

function leading(path: string): PlugError {
  return new PlugError('denied', `The package holds a link that leads out of its folder: ${path}.`, {
    owner: 'server',
    details: { path },
  });
}
