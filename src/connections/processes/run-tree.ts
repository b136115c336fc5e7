import { drained } from './stdio-transport.ts';
import { startProcess } from './supervise.ts';
import type { ProcessExit, ProcessOptions } from './server-process.ts';

export interface TreeEnd extends ProcessExit {
  readonly stdout: string;
  readonly stderr: readonly string[];
}

/** Runs a program and all it starts to their end; they end with the hub, with the signal, or with the time. */
export async function runTree(
  options: ProcessOptions & {
    readonly timeMs: number;
    readonly bytesMax: number;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<TreeEnd | 'too-long'> {
  const { signal, clock, timeMs, bytesMax, limits } = options;
  signal?.throwIfAborted();
  const child = await startProcess(options);
  child.stdin.end();
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= bytesMax) chunks.push(chunk);
  });
  let late = false;
  const stop = (): void => void child.stop();
  const cancel = clock.after(timeMs, () => {
    late = true;
    stop();
  });
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const exit = await child.exit;
    await drained(child.stdout, options);
    await child.stop();
    signal?.throwIfAborted();
    if (late) return 'too-long';
    return {
      ...exit,
      stdout: Buffer.concat(chunks).toString('utf8'),
      stderr: child.stderr.lines(limits.stderrLinesShown),
    };
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}
