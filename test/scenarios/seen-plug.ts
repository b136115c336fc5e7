import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { compileCache } from '../suite/compile-cache.ts';
import { quietHub } from '../suite/quiet-hub.ts';
import { bin, newPlug, type Plug, type PlugOptions } from './plug-command.ts';
import { COLUMNS, ROWS, screenOf } from './seen-screen.ts';

type Env = Readonly<Record<string, string>>;

/** What a person has before them when a command has ended. */
export interface Seen {
  readonly code: number | null;
  readonly screen: string;
}

/** A command that still runs, in a terminal of its own. */
export interface Watched {
  /** Resolves with the match once it stands in what was written. */
  readonly says: (pattern: RegExp) => Promise<string>;
  readonly type: (keys: string) => void;
  /** What the screen shows now. */
  readonly screen: () => string;
  readonly ended: Promise<Seen>;
}

export interface Seeing {
  readonly plug: Plug;
  /** Runs a command as somebody types it, to its end. */
  readonly see: (...argv: readonly string[]) => Promise<Seen>;
  /** Starts one that somebody watches. */
  readonly watch: (...argv: readonly string[]) => Watched;
}

/** Somebody at a real terminal, with the real `plug` in a home of their own. */
export function newSeeing(env: Env = {}, options: PlugOptions = {}): Seeing {
  const plug = newPlug({ PLUG_NO_KEYRING: '1', ...env }, { hub: 'process', ...options });
  const watch = (...argv: readonly string[]): Watched => watchPlug(plug, argv, env);
  return { plug, watch, see: (...argv) => watch(...argv).ended };
}

/** The real `plug` in a terminal, for a home whose hub is not its own process. */
export function watchPlug(
  { home, cwd }: Pick<Plug, 'home' | 'cwd'>,
  argv: readonly string[],
  env: Env = {},
): Watched {
  const own = {
    HOME: home,
    PLUG_HOME: `${home}/plug`,
    PLUG_NO_KEYRING: '1',
    TERM: 'xterm',
    ...compileCache,
    ...quietHub,
    ...env,
  };
  // Only plug itself gets the test's PATH: without it, script and stty would not be found.
  const exports = Object.entries(own).map(([name, value]) => `export ${name}=${quoted(value)};`);
  const words = [process.execPath, bin, ...argv].map(quoted).join(' ');
  const line = `stty cols ${COLUMNS} rows ${ROWS}; ${exports.join(' ')} exec ${words}`;
  return watched(spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { PATH: process.env['PATH'] } }));
}

/** Whatever runs in a terminal; it ends with the test. */
export function watched(child: ChildProcess): Watched {
  let written = '';
  const lookers = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    written += chunk.toString();
    for (const look of lookers) look();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  child.stdin?.on('error', () => undefined); // it may have ended already
  const ended = once(child, 'close').then(([code]): Seen => {
    return { code: code as number | null, screen: screenOf(written) }; // as Node describes the event
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  });
  return {
    ended,
    screen: () => screenOf(written),
    type: (keys) => void child.stdin?.write(keys),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(stripVTControlCharacters(written));
          if (!found) return;
          lookers.delete(look);
          resolve(found[1] ?? found[0]);
        };
        lookers.add(look);
        look();
        void ended.then(({ screen }) => reject(new Error(`It never said ${String(pattern)}:\n${screen}`)));
      }),
  };
}

/** One word for a shell, whatever is in it. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
