import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesBelow } from './files-below.ts';

/** Where a build keeps what it was made from. */
export const BUILT_FROM = '.built-from';

/** A digest of all that a build reads: sources, settings, the installed packages and Node. */
export function builtFrom(root: string): string {
  const sources = ['src', 'web', 'scripts'].flatMap((folder) => filesBelow(join(root, folder), ''));
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const digest = createHash('sha256').update(process.version);
  for (const file of [...sources, ...settings.map((name) => join(root, name))]) {
    if (file.endsWith('.test.ts')) continue;
    const bytes = readFileSync(file);
    digest.update(`\n${relative(root, file)} ${bytes.length}\n`).update(bytes);
  }
  return digest.digest('hex');
}
