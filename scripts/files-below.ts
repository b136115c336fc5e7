import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder that end so, in one order on every machine. */
export function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.endsWith(ending))
    .toSorted();
}
