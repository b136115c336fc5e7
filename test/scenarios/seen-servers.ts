import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../servers/temporary-folder.ts';

/** A server that starts only with this key in its environment; it knows the key from a file. */
export function keyedCommand(key: string): readonly string[] {
  const file = join(temporaryFolder(), 'key');
  writeFileSync(file, key);
  return [process.execPath, fileURLToPath(new URL('seen-key-server.ts', import.meta.url)), file];
}
