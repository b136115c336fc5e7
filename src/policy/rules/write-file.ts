import { mkdir, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Ids } from '../../base/ids.ts';
import { writePrivateFile } from '../../base/private-files.ts';

/** Atomic, readable by the owner only. A symlink stays a symlink. */
export async function replaceFile(path: string, text: string, ids: Ids): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writePrivateFile(await realpath(path).catch(() => path), text, ids);
}
