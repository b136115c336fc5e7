import { dirname } from 'node:path';
import { findCommand } from '../../connections/processes/find-command.ts';
import type { DoctorRow } from '../hub.ts';
import { blocked } from '../workspace.ts';
import { howToInstall } from './installers.ts';
import type { Visit } from './patient.ts';
import { pass, warn } from './rows.ts';

/** What most servers are run with, in the order in which most people need it. */
const RUNTIMES = ['npx', 'uvx', 'docker'] as const;

/** Where the usual runtimes are. One that no server needs is not missed. */
export async function lookForRuntimes(visit: Visit): Promise<readonly DoctorRow[]> {
  const { path, own, complete } = await visit.path();
  const { platform, home } = visit;
  const pathExt = visit.core.options.env['PATHEXT'];
  const found = await Promise.all(
    RUNTIMES.map(
      async (command) =>
        await findCommand({ command, cwd: home, path, home, platform, pathExt }).catch(() => undefined),
    ),
  );
  const words = RUNTIMES.map((command, index) => {
    const file = found[index];
    if (file === undefined) return `${command} is not there`;
    return `${command} is ${file}${own.includes(dirname(file)) ? '' : ', which the PATH of the hub lacks'}`;
  });
  const missed = RUNTIMES.filter((command, index) => found[index] === undefined && isNeeded(visit, command));
  const details = [`looked in ${path}`];
  if (missed.length === 0) return [pass('runtimes', `${words.join('; ')}.`)];
  const unsure = complete ? [] : ['Your login shell may know more; only a start, or --live, asks it.'];
  return [
    warn('runtimes', `${words.join('; ')}. A server needs ${missed.join(' and ')}.`, {
      cause: 'missing_command',
      owner: 'you',
      next: howToInstall(missed[0] ?? ''),
      details: [...details, ...unsure],
    }),
  ];
}

function isNeeded({ workspace }: Visit, command: string): boolean {
  return workspace.servers.some((server) => {
    const { endpoint } = server.definition;
    return !blocked(server) && endpoint.kind === 'stdio' && endpoint.command === command;
  });
}
