import { delimiter } from 'node:path';
import { splitPath } from '../../connections/processes/find-command.ts';
import { wellKnownFolders } from '../../connections/processes/well-known-folders.ts';
import type { Core } from '../core.ts';

/** Where commands are looked for. */
export interface FoundPath {
  readonly path: string;
  /** The folders of the hub's own PATH; the others were added. */
  readonly own: readonly string[];
  /** False when the login shell may know more: nobody has asked it yet, and asking starts it. */
  readonly complete: boolean;
}

/** The PATH that servers get, as far as it is known without starting a shell. */
export async function foundPath(
  core: Core,
  {
    home,
    platform,
    live,
  }: { readonly home: string; readonly platform: NodeJS.Platform; readonly live: boolean },
): Promise<FoundPath> {
  const { env } = core.options;
  const own = splitPath(env['PATH'] ?? env['Path'] ?? '', platform);
  const known = live ? await core.searchPath() : core.knownSearchPath();
  if (known !== undefined) return { path: known, own, complete: true };
  const path = [...new Set([...own, ...(await wellKnownFolders(home))])].join(delimiter);
  return { path, own, complete: !env['SHELL'] };
}
