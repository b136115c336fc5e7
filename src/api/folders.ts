import { isAbsolute } from 'node:path';
import type { Hub } from '../hub/hub.ts';
import { Refusal } from './answer.ts';
import { FOLDER_HEADER } from './send.ts';

/** A hub that can be seen from several folders: each project's own file counts only there. */
export interface FoldersHub extends Hub {
  readonly in?: (folder: string) => Promise<Hub>;
}

const FOLDER_LENGTH_MAX = 4_096;

/** The hub as seen from the caller's folder. */
export async function hubFor(root: FoldersHub, request: Request): Promise<Hub> {
  const given = request.headers.get(FOLDER_HEADER);
  return given === null || !root.in ? root : root.in(decode(given));
}

function decode(given: string): string {
  try {
    const folder = decodeURIComponent(given);
    if (isAbsolute(folder) && folder.length <= FOLDER_LENGTH_MAX && !folder.includes('\0')) return folder;
  } catch {
    // Not percent-encoded: refused below like any other wrong folder.
  }
  throw new Refusal(400, 'usage', `The ${FOLDER_HEADER} header must be an absolute path, percent-encoded.`);
}
