import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RootHub } from '../src/hub/open-hub.ts';

/** Benchmarks measure what people install: the compiled product, never the sources. */
const dist = new URL('../dist/', import.meta.url);
export const bin: string = fileURLToPath(new URL('bin.js', dist));
const echoServer = fileURLToPath(new URL('echo-server.ts', import.meta.url));

/** A module of the product, by its path below `src`, without the ending. */
export async function product<T>(path: string): Promise<T> {
  if (!existsSync(bin)) throw new Error('There is no dist/bin.js: run npm run build first.');
  return (await import(new URL(`${path}.js`, dist).href)) as T; // the caller names the type of that source
}

/** The command line of the echo server. */
export function echoCommand(): { readonly command: string; readonly args: readonly string[] } {
  // Warnings about stripped types would be written by every start.
  return { command: process.execPath, args: ['--disable-warning=ExperimentalWarning', echoServer] };
}

/** A folder of its own that is gone at the end. */
export function temporaryHome(): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'plug-bench-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

function homeEnv(home: string): Readonly<Record<string, string | undefined>> {
  // What is measured must not compete with servers that the hub looks at by itself.
  return { PATH: process.env['PATH'], HOME: home, PLUG_HOME: home, PLUG_NO_FIRST_LOOKS: '1' };
}

/** Runs `plug` to its end and answers what it printed. */
export function plug(home: string, ...argv: readonly string[]): string {
  return run([bin, ...argv], home);
}

/** Runs Node to its end; a failure is an error, never a fast result. */
export function run(argv: readonly string[], home: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, {
    cwd: home,
    env: homeEnv(home),
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`node ${argv.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** The hub in this process, as a library opens it. */
export async function openHubAt(
  home: string,
  more: Readonly<Record<string, string | undefined>> = {},
): Promise<RootHub> {
  const { openHub } = await product<typeof import('../src/hub/open-hub.ts')>('hub/open-hub');
  const paths = { config: home, data: home, state: home };
  return openHub({ paths, cwd: home, env: { ...homeEnv(home), ...more }, version: '0.0.0-bench' });
}
