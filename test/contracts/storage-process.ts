import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { StorageOptions } from '../../src/storage/open.ts';
import { programFile } from '../suite/program-file.ts';

export interface Writer {
  readonly child: ChildProcess;
  /** Resolves when the process is about to wait for its start, or has ended before. */
  readonly loaded: Promise<void>;
  /** Resolves when the process begins to open the storage, or has ended before. */
  readonly opening: Promise<void>;
  /** Names of the rows that were acknowledged so far. */
  readonly acknowledged: readonly string[];
  /** Resolves when so many rows are acknowledged, or when the process has ended before. */
  reached(count: number): Promise<void>;
  /** Resolves when the process has ended and all its output is read. */
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

/** Starts processes that open the storage at the same moment and write `count` rows each. */
export async function startTogether(
  options: StorageOptions,
  prefixes: readonly string[],
  count: number,
): Promise<readonly Writer[]> {
  const writers = prefixes.map((prefix) => spawnWriter(options, prefix, count));
  await Promise.all(writers.map((writer) => writer.loaded));
  for (const writer of writers) writer.child.stdin?.end();
  return writers;
}

/** Starts a process that writes `count` rows named `prefix-0`, `prefix-1`, … */
export function startWriter(options: StorageOptions, prefix: string, count: number): Writer {
  const writer = spawnWriter(options, prefix, count);
  writer.child.stdin?.end();
  return writer;
}

function spawnWriter(options: StorageOptions, prefix: string, count: number): Writer {
  const program = programFile('contracts/storage-writer');
  const child = spawn(process.execPath, [program, JSON.stringify(options), prefix, String(count)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const acknowledged: string[] = [];
  const waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  const loaded = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'loaded') loaded.resolve();
    else if (line === 'opening') opening.resolve();
    else acknowledged.push(line);
    for (const wait of waiting) if (acknowledged.length >= wait.count) wait.resolve();
  });
  const ended = once(child, 'close').then(([code]) => {
    for (const wait of [loaded, opening, ...waiting]) wait.resolve();
    return { code: code as number | null, stderr };
  });
  return {
    child,
    acknowledged,
    loaded: loaded.promise,
    opening: opening.promise,
    reached: (wanted) =>
      new Promise((resolve) => {
        if (acknowledged.length >= wanted || child.exitCode !== null) resolve();
        else waiting.push({ count: wanted, resolve });
      }),
    ended,
  };
}
