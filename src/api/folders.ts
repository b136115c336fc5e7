import { isAbsolute } from 'node:path';
import type { Hub } from '../hub/hub.ts';
import type { HostTokens } from '../policy/host-tokens.ts';
import { Refusal } from './answer.ts';
import type { Caller } from './caller.ts';
import { FOLDER_HEADER } from './send.ts';

/** A hub with a view for each folder (a project's own file counts only there) and for each caller. */
export interface FoldersHub extends Hub {
  readonly in?: (folder: string, caller?: Caller) => Promise<Hub>;
  readonly as?: (caller: Caller) => Hub;
  /** A hub without tokens lets no host in on the port. */
  readonly hostTokens?: HostTokens;
}

const FOLDER_LENGTH_MAX = 4_096;

export async function hubFor(root: FoldersHub, request: Request, caller: Caller): Promise<Hub> {
  const given = request.headers.get(FOLDER_HEADER);
  if (given !== null && root.in) return root.in(decodeFolder(given), caller);
  return root.as?.(caller) ?? root;
}

export function decodeFolder(given: string): string {
  try {
    const folder = decodeURIComponent(given);
    if (isAbsolute(folder) && folder.length <= FOLDER_LENGTH_MAX && !folder.includes('\0')) return folder;
  } catch {
    // Not percent-encoded: refused below like any other wrong folder.
  }
  throw new Refusal(400, 'usage', `The ${FOLDER_HEADER} header must be an absolute path, percent-encoded.`);
}
