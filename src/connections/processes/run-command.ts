import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import type { RunCommand } from '../../vault/command-reference.ts';
import type { Bounds } from '../limits.ts';
import { childEnvironment } from './environment.ts';
import { findCommand } from './find-command.ts';
import { killGroup } from './kill.ts';

export interface RunCommandOptions extends Bounds {
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly searchPath: () => Promise<string>;
}

/** Asks a password manager: without a shell, without input, in a process group of its own. */
export function commandRunner({
  hubEnv,
  platform,
  searchPath,
  clock,
  limits,
}: RunCommandOptions): RunCommand {
  const { referenceCommandMs: timeMs, referenceCommandBytesMax: bytesMax } = limits;
  return async ([program, ...args], { signal }) => {
    const path = await searchPath();
    const file = await findCommand({ command: program, cwd: homedir(), path, home: homedir(), platform });
    const allowed = childEnvironment({ hubEnv, declared: {}, path, platform });
    const env = { ...allowed, ...passwordManagerVariables(hubEnv) };
    let end: RunEnd;
    try {
      end = await runToEnd(file, args, { env, platform, clock, timeMs, bytesMax, signal });
    } catch (error) {
      throw failure(program, `could not be run: ${messageOf(error)}`);
    }
    if (end.kind === 'ended' && end.code === 0) return end.stdout;
    throw failure(program, problemOf(end, timeMs));
  };
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

interface RunToEndOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly timeMs: number;
  readonly bytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

type RunEnd =
  | {
      readonly kind: 'ended';
      readonly code: number | null;
      readonly killedBy: NodeJS.Signals | null;
      readonly stdout: string;
    }
  | { readonly kind: 'too-much' | 'too-long' | 'cancelled' };

/** Runs a program without a shell and without input, in a process group of its own, within bounds. */
export async function runToEnd(
  file: string,
  args: readonly string[],
  options: RunToEndOptions,
): Promise<RunEnd> {
  const { platform, clock, signal } = options;
  signal?.throwIfAborted();
  const child = spawn(file, args, {
    cwd: homedir(),
    env: options.env,
    detached: platform !== 'win32',
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  const chunks: Buffer[] = [];
  let bytes = 0;
  let stopped: RunEnd | undefined;
  const stop = (kind: 'too-much' | 'too-long' | 'cancelled'): void => {
    stopped ??= { kind };
    child.stdout.destroy();
    // Before its exit event the process has not been reaped, so the group's number is still ours.
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    if (platform === 'win32' || !killGroup(child.pid, 'SIGKILL')) child.kill('SIGKILL');
  };
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > options.bytesMax) stop('too-much');
  });
  const cancelTimer = clock.after(options.timeMs, () => stop('too-long'));
  const abort = (): void => stop('cancelled');
  signal?.addEventListener('abort', abort, { once: true });
  try {
    // As Node types the listener of this event.
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return stopped ?? { kind: 'ended', code, killedBy, stdout: Buffer.concat(chunks).toString('utf8') };
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', abort);
    for (const chunk of chunks) chunk.fill(0);
  }
}
