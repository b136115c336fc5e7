import { spawn } from 'node:child_process';
import { constants, existsSync } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { limits } from '../base/limits.ts';

/** How a hub is run in the foreground: `node dist/bin.js hub start --foreground`. */
export interface SpawnEntry {
  /** Node itself. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface HubProcess {
  readonly exited: () => boolean;
  /** What it has written to the log since it was started. */
  lastLines(): Promise<readonly string[]>;
}

/**
 * A hub rests most of the time. With Node's own default, what it reads at its start would grow the
 * space for short-lived objects to a size that it never needs again, and keep it: some 15 MB.
 *
 * @public A benchmark starts its hub in the same way.
 */
export const hubNodeOptions: readonly string[] = ['--max-semi-space-size=4'];

/**
 * On Linux every thread that compiles or collects gets a heap of its own from the C library, which
 * keeps what it was given: some 10 MB after many calls. One heap that gives back is enough. Whoever
 * sets these variables themselves means it; servers never see them.
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
 * A hub that crashes leaves no picture of its memory on the disk: there may be secrets in it. Node
 * cannot set the limit of itself, so that a shell does and then becomes the hub; servers inherit it.
 * A shell may lose variables whose names are no words of its own, and those must not go missing.
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

/** A log that has grown too long becomes the previous one, and one previous is kept. */
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
