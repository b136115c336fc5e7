import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files below a folder that end so, in one order on every machine. */
export function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .toSorted()
    .map((name) => join(folder, name));
}
