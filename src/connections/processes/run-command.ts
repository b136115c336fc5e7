import { homedir } from 'node:os';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Argv, RunCommand } from '../../vault/command-reference.ts';
import type { Bounds } from '../limits.ts';
import { childEnvironment } from './environment.ts';
import { findCommand } from './find-command.ts';
import { runToEnd, type RunEnd } from './run-to-end.ts';

export interface RunCommandOptions extends Bounds {
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly searchPath: () => Promise<string>;
}

/** Asks a password manager: without a shell, without input, in a process group of its own. */
export function commandRunner(options: RunCommandOptions): RunCommand {
  return async (argv, { signal }) => {
    const path = await options.searchPath();
    const { hubEnv, platform } = options;
    const file = await findCommand({ command: argv[0], cwd: homedir(), path, home: homedir(), platform });
    const env = {
      ...childEnvironment({ hubEnv, declared: {}, path, platform }),
      ...passwordManagerVariables(hubEnv),
    };
    return runForSecret(file, argv, { ...options, env, signal });
  };
}

interface Run extends RunCommandOptions {
  readonly env: Record<string, string>;
  readonly signal: AbortSignal | undefined;
}

async function runForSecret(file: string, [program, ...args]: Argv, run: Run): Promise<string> {
  const { limits } = run;
  const timeMs = limits.referenceCommandMs;
  let end: RunEnd;
  try {
    end = await runToEnd(file, args, { ...run, timeMs, bytesMax: limits.referenceCommandBytesMax });
  } catch (error) {
    throw failure(program, `could not be run: ${messageOf(error)}`);
  }
  if (end.kind === 'ended' && end.code === 0) return end.stdout;
  throw failure(program, problemOf(end, timeMs));
}

function problemOf(end: RunEnd, timeMs: number): string {
  if (end.kind === 'ended') return `failed with ${end.killedBy ?? `exit code ${end.code}`}`;
  const problems = {
    'too-much': 'printed too much for a secret',
    'too-long': `did not answer within ${timeMs / 1000} seconds`,
    cancelled: 'was cancelled',
  };
  return problems[end.kind];
}

/** Password managers find their agent, their session and the desktop by these. */
function passwordManagerVariables(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const entries = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && MANAGER_VARIABLE.test(entry[0]),
  );
  return Object.fromEntries(entries);
}

const MANAGER_VARIABLE =
  /^(OP_[A-Z0-9_]+|BW_[A-Z0-9_]+|PASSWORD_STORE_[A-Z0-9_]+|GOPASS_[A-Z0-9_]+|GNUPGHOME|GPG_TTY|GPG_AGENT_INFO|SSH_AUTH_SOCK|DBUS_SESSION_BUS_ADDRESS|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY)$/;

/** The program's output is not repeated: it may be half of a secret. */
function failure(program: string, what: string): PlugError {
  return new PlugError('missing_input', `The command ${program} ${what}.`, {
    owner: 'you',
    remedy: `Try it in a terminal, and sign in there if ${program} asks for it.`,
    details: { program },
  });
}
