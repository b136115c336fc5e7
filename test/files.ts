import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './pages.ts';

/** What is made, not written. */
const MADE = new Set(['node_modules', 'dist', 'coverage', '.git', '.plug', 'out']);

/** Every written file below a folder of the repository, by its path from the root. */
export function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (MADE.has(entry.name) || entry.name.endsWith('.log')) return [];
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}
