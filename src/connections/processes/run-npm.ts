import { homedir } from 'node:os';
import { PlugError } from '../../base/errors.ts';
import { findCommand } from './find-command.ts';
import { runToEnd, type RunCommandOptions } from './run-command.ts';

/** Answers npm's output, whatever its exit code. */
export type RunNpm = (
  args: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<string>;

/** An `.npmrc` may name any variable, so npm gets the hub's environment; it only looks up, and runs no package. */
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
    const message = `npm did not answer within ${limits.packageLookupMs / 1000} s.`;
    throw new PlugError(end.kind === 'cancelled' ? 'cancelled' : 'unreachable', message, {
      owner: 'network',
    });
  };
}
