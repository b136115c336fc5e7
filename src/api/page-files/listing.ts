import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { hasCode } from '../../base/errors.ts';
import { doorLimits } from '../page-door/limits.ts';

/** The files of one build of the page. */
export interface Listing {
  /** With slashes, from the page's folder. */
  readonly names: ReadonlySet<string>;
  /** When this build was made. */
  readonly builtAt: number;
}

/** What there is to serve: the listing from before as long as the build is the same; undefined without one. */
export async function listFiles(folder: string, before: Listing | undefined): Promise<Listing | undefined> {
  const index = await stat(join(folder, 'index.html')).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  });
  if (!index) return undefined;
  if (before?.builtAt === index.mtimeMs) return before;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // A link is no file of ours, wherever it leads.
  const names = entries
    .filter((entry) => entry.isFile())
    .slice(0, doorLimits.filesMax)
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  return { names: new Set(names), builtAt: index.mtimeMs };
}
