import { homedir } from 'node:os';
import { PlugError } from '../../base/errors.ts';
import { findCommand } from './find-command.ts';
import { runToEnd, type RunCommandOptions } from './run-command.ts';

/** Answers npm's output, whatever its exit code. */
export type RunNpm = (
  args: readonly string[],
  options: { readonly signal?: AbortSignal | undefined },
) => Promise<string>;

/** npm only looks up here, and runs no package. */
export function npmRunner({ hubEnv, platform, searchPath, clock, limits }: RunCommandOptions): RunNpm {
  return async (args, { signal }) => {
    const path = await searchPath();
    const file = await findCommand({ command: 'npm', cwd: homedir(), path, home: homedir(), platform });
    const end = await runToEnd(file, args, {
      env: managerEnvironment(hubEnv, path),
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

/** An `.npmrc` may name any variable, so a package manager gets the hub's environment. It must run no package with it. */
export function managerEnvironment(
  hubEnv: Readonly<Record<string, string | undefined>>,
  path: string,
): Record<string, string> {
  const known = Object.entries(hubEnv).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && !entry[0].startsWith('PLUG_'),
  );
  return { ...Object.fromEntries(known), PATH: path };
}
