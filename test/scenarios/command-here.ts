import { readFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { findPaths } from '../../src/base/paths.ts';
import { openHubControl } from '../../src/cli/hub-control.ts';
import { runCli } from '../../src/cli/run.ts';
import type { HubControl } from '../../src/cli/session.ts';

export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const bin: string = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));

/**
 * Runs a command line as `bin.ts` does, without a process of its own: suites start commands by the
 * thousand, and a start costs ten times what most commands do. The hub that it talks to, or starts,
 * is the built one. Undefined while commands of another home run here: Node asks the process for it.
 */
export async function runHere(
  shell: Shell,
  argv: readonly string[],
  hubs?: HubControl,
): Promise<Answer | undefined> {
  const release = holdHome(shell);
  if (!release) return undefined;
  try {
    return await run(shell, argv, hubs);
  } finally {
    release();
  }
}

/** Makes the home of a shell Node's own until it is released; undefined while that is another's. */
export function holdHome(shell: Shell): (() => void) | undefined {
  const home = shell.env['HOME'];
  const { env } = process;
  if (holders > 0 && env['HOME'] !== home) return undefined;
  if (holders === 0) {
    outside = env['HOME'];
    env['HOME'] = home;
  }
  holders += 1;
  return () => {
    holders -= 1;
    if (holders === 0) env['HOME'] = outside;
  };
}

let holders = 0;
let outside: string | undefined;

async function run(shell: Shell, argv: readonly string[], hubs?: HubControl): Promise<Answer> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written): Writable =>
    new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _encoding, done) => {
        written[name] += chunk.toString();
        done();
      },
    });
  const code = await runCli({
    argv,
    ...shell,
    version,
    signal: new AbortController().signal,
    hubs: hubs ?? hubsOf(shell, (line) => (written.stderr += line)),
    stdin: () => new PassThrough().end(),
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  return { code, ...written };
}

/** What starts and finds the hub of a home, as the built program does. */
export function hubsOf({ env, cwd }: Shell, log: (line: string) => void = () => undefined): HubControl {
  const { platform, execPath: command } = process;
  return openHubControl({
    paths: findPaths({ env, platform }),
    version,
    platform,
    entry: { command, args: [bin], env, cwd },
    pageFolder: fileURLToPath(new URL('../../dist/web', import.meta.url)),
    logLevel: 'info',
    log,
    ownsProcess: false,
    surviveWith: () => undefined,
  });
}

export const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as {
  readonly version: string; // the package is ours
};
