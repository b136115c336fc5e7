import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Argv, RunCommand } from '../../vault/command-reference.ts';
import { childEnvironment } from './environment.ts';
import { findCommand } from './find-command.ts';
import { killGroup } from './kill.ts';

export interface RunCommandOptions {
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly searchPath: () => Promise<string>;
  readonly clock: Clock;
  readonly limits: Limits;
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
    return runToEnd(file, argv, { ...options, env, ...(signal ? { signal } : {}) });
  };
}

interface Run extends RunCommandOptions {
  readonly env: Record<string, string>;
  readonly signal?: AbortSignal;
}

async function runToEnd(file: string, [program, ...args]: Argv, run: Run): Promise<string> {
  const { limits, clock, signal } = run;
  signal?.throwIfAborted();
  const child = spawn(file, args, {
    cwd: homedir(),
    env: run.env,
    detached: run.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stopped: PlugError | undefined;
  const stop = (error: PlugError): void => {
    stopped ??= error;
    child.stdout.destroy();
    // Before its exit event the process has not been reaped, so the group's number is still ours.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (run.platform === 'win32' || !killGroup(child.pid, 'SIGKILL')) child.kill('SIGKILL');
  };
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > limits.referenceCommandBytesMax) stop(failure(program, 'printed too much for a secret'));
  });
  const cancelTimer = clock.after(limits.referenceCommandMs, () =>
    stop(failure(program, `did not answer within ${limits.referenceCommandMs / 1000} seconds`)),
  );
  const abort = (): void => stop(failure(program, 'was cancelled'));
  signal?.addEventListener('abort', abort, { once: true });
  try {
    const [code, killedBy] = await once(child, 'close');
    if (stopped) throw stopped;
    if (code !== 0) throw failure(program, `failed with ${killedBy ?? `exit code ${code}`}`);
    return Buffer.concat(chunks).toString('utf8');
  } catch (error) {
    if (error instanceof PlugError) throw error;
    throw failure(program, `could not be run: ${messageOf(error)}`);
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', abort);
    for (const chunk of chunks) chunk.fill(0);
  }
}

/** What password managers need to find their agent, their session and the desktop that asks. */
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

/** What the program printed is not repeated: it may be half of a secret. */
function failure(program: string, what: string): PlugError {
  return new PlugError('missing_input', `The command ${program} ${what}.`, {
    owner: 'you',
    next: `Try it in a terminal, and sign in there if ${program} asks for it.`,
    details: { program },
  });
}
