import { homedir } from 'node:os';
import { findCommand } from '../connections/processes/find-command.ts';
import { findPlaceholders } from '../servers/placeholders.ts';
import type { Core } from './core.ts';

/** Whether a command is on this machine. */
export async function isRunnable(
  core: Pick<Core, 'options' | 'searchPath'>,
  command: string,
): Promise<boolean> {
  if (findPlaceholders(command).length > 0) return true; // known only when it starts
  const { cwd, platform = process.platform, env } = core.options;
  try {
    const path = await core.searchPath();
    await findCommand({ command, cwd, path, home: homedir(), platform, pathExt: env['PATHEXT'] });
    return true;
  } catch {
    return false; // it says where it looked; here one line is enough
  }
}
