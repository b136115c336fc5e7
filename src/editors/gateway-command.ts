import { readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { GatewayCommand } from '../hub/client-files.ts';

/** What a client starts: `plug` where that is this very program, else the program by its path. */
export function gatewayCommand(
  { command, args }: GatewayCommand,
  { path = '' }: { readonly path: string | undefined },
): GatewayCommand {
  const own = realPath(args.at(-1) ?? command);
  const isOnPath = path
    .split(delimiter)
    // What npm adds while it runs a script is gone when a client starts.
    .filter((folder) => folder !== '' && !/node_modules[/\\]\.bin[/\\]?$/.test(folder))
    .some((folder) => own !== undefined && leadsTo(join(folder, 'plug'), own));
  return isOnPath ? { command: 'plug', args: ['gateway'] } : { command, args: [...args, 'gateway'] };
}

/** A link to this program, or a script that names it. */
function leadsTo(found: string, own: string): boolean {
  const real = realPath(found);
  if (real === undefined || real === own) return real === own;
  try {
    return statSync(real).size <= SCRIPT_BYTES_MAX && readFileSync(real, 'utf8').includes(own);
  } catch {
    return false; // it cannot be read
  }
}

const SCRIPT_BYTES_MAX = 4_096;

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // there is nothing of that name
  }
}
