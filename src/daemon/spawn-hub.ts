import { spawn } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { limits } from '../base/limits.ts';

/** How to run a hub in the foreground: `node dist/bin.js hub start --foreground`. */
export interface SpawnEntry {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface HubProcess {
  readonly exited: () => boolean;
  lastLines(): Promise<readonly string[]>;
}

/**
 * With Node's default, starting would grow the space for short-lived objects by some 15 MB for good.
 *
 * @public A benchmark starts its hub in the same way.
 */
export const hubNodeOptions: readonly string[] = ['--max-semi-space-size=4'];

/**
 * On Linux every compiling or collecting thread gets its own heap from the C library, which keeps some 10 MB
 * after many calls. The user's own values win, and servers never see these.
 *
 * @public A benchmark starts its hub in the same way.
 */
export const hubEnvironment: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

/** Starts a hub that outlives this process, with its output in the log file. */
export async function spawnHub(logFile: string, entry: SpawnEntry): Promise<HubProcess> {
  await using log = await openLog(logFile);
  const { size: from } = await log.stat();
  const env = { ...hubEnvironment, ...entry.env };
  const [command, ...args] = withoutCores([entry.command, ...hubNodeOptions, ...entry.args], env);
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env,
    ...(entry.cwd === undefined ? {} : { cwd: entry.cwd }),
    windowsHide: true,
  });
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', (code, signal) => (ended ??= `The process ended with ${signal ?? `code ${code}`}.`));
  child.unref();
  return {
    exited: () => ended !== undefined,
    lastLines: async () => [...(await readLines(logFile, from)), ...(ended === undefined ? [] : [ended])],
  };
}

/**
 * A core dump could hold secrets. Node cannot set the limit itself, so a shell does and then becomes the hub;
 * servers inherit it. Without a shell if a variable's name is none for a shell, which might lose it.
 */
function withoutCores(
  words: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): readonly [string, ...string[]] {
  const isPlain = Object.keys(env).every((name) => /^[A-Za-z_]\w*$/.test(name));
  if (process.platform === 'win32' || !isPlain || !existsSync(SHELL)) return words;
  return [SHELL, '-c', 'ulimit -c 0; exec "$@"', 'plug', ...words];
}

const SHELL = '/bin/sh';

/** Rotates a log that is too long; one previous log is kept. */
async function openLog(file: string): Promise<FileHandle> {
  const { O_CREAT, O_APPEND, O_RDWR, O_NOFOLLOW } = constants;
  const flags = O_CREAT | O_APPEND | O_RDWR | O_NOFOLLOW;
  const log = await open(file, flags, 0o600);
  if ((await log.stat()).size <= limits.hubLogBytesMax) return log;
  await log.close();
  await rename(file, `${file}.1`);
  return open(file, flags, 0o600);
}

async function readLines(file: string, from: number): Promise<readonly string[]> {
  await using log = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  const { size } = await log.stat();
  const start = Math.max(from, size - SHOWN_BYTES_MAX);
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(SHOWN_BYTES_MAX), position: start });
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n');
  return lines.filter((line) => line.trim() !== '').slice(-limits.hubLogLinesShown);
}

const SHOWN_BYTES_MAX = 64 * 1024;
