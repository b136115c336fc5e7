import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import { killGroup } from './kill.ts';

export interface RunToEndOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly timeMs: number;
  readonly bytesMax: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunEnd =
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
    // What a child's close event carries.
    const [code, killedBy] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return stopped ?? { kind: 'ended', code, killedBy, stdout: Buffer.concat(chunks).toString('utf8') };
  } finally {
    cancelTimer();
    signal?.removeEventListener('abort', abort);
    for (const chunk of chunks) chunk.fill(0);
  }
}
