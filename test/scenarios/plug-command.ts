import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { HubControl } from '../../src/cli/session.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { compileCache } from '../suite/compile-cache.ts';
import { quietHub } from '../suite/quiet-hub.ts';
import { programFile } from '../suite/program-file.ts';
import { bin, hubsOf, runHere, type Answer, type Shell } from './command-here.ts';
import { descendantsOf, isAlive } from './descendants.ts';
import { hubsHere, startedSince } from './hub-here.ts';

export { bin, type Answer } from './command-here.ts';
export { descendantsOf, isAlive } from './descendants.ts';

const fixture = programFile('servers/stdio');

/** The real `plug` in a home and a folder of its own. */
export interface Plug {
  /** Runs a command to its end: in this process, but what serves others in one of its own. */
  (...argv: readonly string[]): Promise<Answer>;
  readonly home: string;
  readonly cwd: string;
  /** The answer to --json, which must have succeeded. */
  json(...argv: readonly string[]): Promise<Record<string, unknown>>;
  /** Starts it as a process and leaves it running; `input` goes to standard input. */
  begin(argv: readonly string[], input?: string): ChildProcess;
}

export interface PlugOptions {
  readonly home?: string;
  readonly cwd?: string;
  /** `permissive`: calls run unasked unless they destroy something, and answers stay whole. `shipped`: as for a new user. */
  readonly rules?: 'permissive' | 'shipped';
  /** `here`: in this process. `process`: one of its own, the built one, for what looks at it or kills it. */
  readonly hub?: 'here' | 'process';
}

/** When the test ends, its hub is stopped, and nothing that it started may be left. */
export function newPlug(
  env: Readonly<Record<string, string>> = {},
  { home = temporaryFolder(), cwd = temporaryFolder(), rules = 'permissive', hub = 'here' }: PlugOptions = {},
): Plug {
  if (!existsSync(bin)) throw new Error('There is no dist/bin.js: run npm run build first.');
  if (rules === 'permissive') allowMost(`${home}/plug`);
  const ownEnv = {
    PATH: process.env['PATH'],
    HOME: home,
    PLUG_HOME: `${home}/plug`,
    ...compileCache,
    ...quietHub,
    ...env,
  };
  const begin = (argv: readonly string[], input = ''): ChildProcess => {
    const child = spawn(process.execPath, [bin, ...argv], { cwd, env: ownEnv });
    child.stdin.on('error', () => undefined); // a command that reads nothing may have ended
    child.stdin.end(input);
    return child;
  };
  const shell: Shell = { env: ownEnv, cwd };
  const hubs = hub === 'here' ? hubsHere(shell) : hubsOf(shell);
  const run = async (...argv: readonly string[]): Promise<Answer> => {
    const here = argv.some((word) => SERVING.has(word)) ? undefined : await runHere(shell, argv, hubs);
    return here ? { ...here, stderr: withoutWaiting(here.stderr) } : answerOf(begin(argv));
  };
  const json = async (...argv: readonly string[]): Promise<Record<string, unknown>> => {
    const { code, stdout, stderr } = await run('--json', ...argv);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>; // every document is an object
  };
  onTestFinished(() => endHub(shell, hubs));
  return Object.assign(run, { home, cwd, json, begin });
}

/** Words of commands that take standard input and output of their process, or all of it. */
const SERVING: ReadonlySet<string> = new Set(['--foreground', 'gateway']);

/**
 * Stops the hub of a home and looks that nothing of it is left: what `plug hub status` and
 * `plug hub stop` do, over its socket, without three processes for every test.
 */
export async function endHub(shell: Shell, hubs: HubControl = hubsOf(shell)): Promise<void> {
  const pid = (await hubs.find())?.pid;
  const asProcess = pid === undefined || pid === process.pid ? [] : [pid, ...descendantsOf(pid)];
  const started = startedSince(shell) ?? asProcess;
  await hubs.stop();
  expect(await hubs.find()).toBeUndefined();
  expect(started.filter(isAlive)).toEqual([]);
}

function allowMost(folder: string): void {
  const call = { read: 'allow', write: 'allow', unknown: 'allow' };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(`${folder}/rules.json`, JSON.stringify({ defaults: { call }, secretsInResults: 'keep' }), {
    mode: 0o600,
  });
}

export async function answerOf(child: ChildProcess): Promise<Answer> {
  const written = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (written.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (written.stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...written, stderr: withoutWaiting(written.stderr) };
}

/** Work that takes long says so, and a busy machine takes long over everything. */
export function withoutWaiting(stderr: string): string {
  return stderr.replaceAll(/^… .* … \(\d+ s\)\n/gm, '');
}

/** What a running command has said so far. */
export function read(child: ChildProcess): { text: string } {
  const said = { text: '' };
  child.stdout?.on('data', (chunk: Buffer) => (said.text += chunk.toString()));
  return said;
}

/** The command line of a fixture server. */
export function fixtureCommand(behavior: string, ...words: readonly string[]): readonly string[] {
  return [process.execPath, fixture, behavior, ...words];
}

/** The demo server of `plug`'s first steps: some of its tools only read, by their names. */
export function everythingCommand(): readonly string[] {
  const folder = new URL('../../node_modules/@modelcontextprotocol/server-everything/', import.meta.url);
  return [process.execPath, fileURLToPath(new URL('dist/index.js', folder)), 'stdio'];
}
