import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../suite/patience.ts';
import { programFile } from '../suite/program-file.ts';

/** Values become `key=value` words on the fixture's command line. */
export type FixtureParams = Readonly<Record<string, string | number | boolean>>;

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command line of a fixture server of `test/servers/stdio.ts`. */
export function stdioFixture(behavior: string, params: FixtureParams = {}): CommandLine {
  return { command: process.execPath, args: [programFile('servers/stdio'), behavior, ...wordsOf(params)] };
}

/** What a fixture listener saw; requests to its own `/_…` paths do not count. */
export interface HttpStats {
  readonly requests: number;
  /** Sessions opened since the start. */
  readonly sessions: number;
  /** Sessions that are open now. */
  readonly sessionsOpen: number;
  /** By JSON-RPC method. */
  readonly methods: Readonly<Record<string, number>>;
  /** By HTTP method. */
  readonly verbs: Readonly<Record<string, number>>;
  readonly lastHeaders: Readonly<Record<string, string>>;
}

export interface HttpFixture extends AsyncDisposable {
  readonly url: string;
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
  stats(): Promise<HttpStats>;
  /** Posts to one of the fixture's own paths, such as `/_forget`. */
  post(path: string): Promise<Response>;
  close(): Promise<void>;
}

/** Starts a fixture of `test/servers/http.ts` and waits until it listens. */
export async function startHttpFixture(behavior: string, params: FixtureParams = {}): Promise<HttpFixture> {
  // The fixture ends when this pipe does, so that a killed test run leaves nothing behind.
  const words = wordsOf({ ...params, lifeline: true });
  const child = spawn(process.execPath, [programFile('servers/http'), behavior, ...words], {
    stdio: 'pipe',
  });
  const exited = once(child, 'close');
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-10_000);
  });
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([first]) => String(first)),
    exited.then(([code]) =>
      Promise.reject(new Error(`The fixture ${behavior} exited with ${String(code)}: ${stderr}`)),
    ),
  ]);
  const { url } = JSON.parse(line) as { url: string }; // http.ts prints just this
  const { port } = new URL(url);
  const origin = `http://127.0.0.1:${port}`;

  const close = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exited;
  };
  return {
    url,
    origin,
    port: Number(port),
    pid: child.pid ?? 0,
    // The fixture's answer is of this very shape.
    stats: async () => (await (await fetch(`${origin}/_stats`)).json()) as HttpStats,
    post: (path) => fetch(`${origin}${path}`, { method: 'POST' }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The command line of a real published server, as it was installed. */
export function published(
  name: 'everything' | 'filesystem' | 'memory' | 'sequential-thinking',
  ...args: readonly string[]
): CommandLine {
  const resolve = createRequire(import.meta.url).resolve;
  const manifest = join(modulesOf(resolve), '@modelcontextprotocol', `server-${name}`, 'package.json');
  // Each of these packages declares one program.
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin: Record<string, string> };
  const program = Object.values(bin)[0];
  if (program === undefined) throw new Error(`server-${name} has no program.`);
  return { command: process.execPath, args: [join(dirname(manifest), program), ...args] };
}

/** Whether a process exists; one that ended but was not yet reaped counts as gone. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
}

/** Resolves once the condition holds; its own errors count as “not yet”. */
export async function waitFor(condition: () => unknown, ms = 3_000): Promise<void> {
  const end = performance.now() + patience(ms);
  let last: unknown;
  for (;;) {
    try {
      if (await condition()) return;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end)
      throw new Error(`Not within ${ms} ms: ${condition.toString()}`, { cause: last });
    await sleep(15);
  }
}

function wordsOf(params: FixtureParams): string[] {
  return Object.entries(params).map(([key, value]) => `${key}=${value === true ? '1' : String(value)}`);
}

function modulesOf(resolve: (id: string) => string): string {
  // Every package of the folder is a neighbour of one that surely resolves.
  return dirname(dirname(resolve('vitest/package.json')));
}
