import { homedir } from 'node:os';
import { PlugError } from '../../base/errors.ts';
import { findCommand } from './find-command.ts';
import type { RunCommandOptions } from './run-command.ts';
import { runToEnd } from './run-to-end.ts';

/** Runs npm with these arguments and answers with what it printed, whatever its exit code. */
export type RunNpm = (
  args: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<string>;

/**
 * npm finds its registry, proxy, certificates and sign-ins in files and variables of its own, and an
 * `.npmrc` may name any variable. So it gets the hub's environment, as in the user's own shell; it
 * only looks up, and runs no package.
 */
export function npmRunner({ hubEnv, platform, searchPath, clock, limits }: RunCommandOptions): RunNpm {
  return async (args, { signal }) => {
    const path = await searchPath();
    const file = await findCommand({ command: 'npm', cwd: homedir(), path, home: homedir(), platform });
    const known = Object.entries(hubEnv).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('PLUG_'),
    );
    const end = await runToEnd(file, args, {
      env: { ...Object.fromEntries(known), PATH: path },
      platform,
      clock,
      timeMs: limits.packageLookupMs,
      bytesMax: limits.registryAnswerBytesMax,
      signal,
    });
    if (end.kind === 'ended') return end.stdout;
    throw new PlugError(
      end.kind === 'cancelled' ? 'cancelled' : 'unreachable',
      `npm did not answer within ${limits.packageLookupMs / 1000} s.`,
      { owner: 'network' },
    );
  };
}
