import { execFile, spawn, type ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { assert } from '../../base/errors.ts';
import { held } from './held.ts';
import type { ChildParts } from './posix-process.ts';
import { Ring } from './ring.ts';
import type { ProcessExit, ServerProcess } from './server-process.ts';
import { within } from './within.ts';

interface Start {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Batch files run only through cmd.exe; everything else is started as it is, never by a shell. */
export function windowsSpawn({ command, args, cwd, env }: Start): ChildProcess {
  const options = { cwd, env, shell: false, windowsHide: true, stdio: 'pipe' } as const;
  if (!/\.(cmd|bat)$/i.test(command)) return spawn(command, [...args], options);
  const line = [command, ...args].map(quoteForCmd).join(' ');
  const shell = env['ComSpec'] ?? env['COMSPEC'] ?? 'cmd.exe';
  return spawn(shell, ['/d', '/s', '/c', `"${line}"`], { ...options, windowsVerbatimArguments: true });
}

/**
 * First the quoting of the C runtime (backslashes before a quote are doubled), then a caret before
 * each character that cmd.exe reads. A batch file hands its arguments to cmd.exe once more, so the
 * carets are doubled. A percent sign cannot be escaped by a caret inside quotes; outside it can,
 * and the caret before the quote puts everything outside.
 */
export function quoteForCmd(argument: string): string {
  const quoted = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  const escape = (text: string): string => text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
  return escape(escape(quoted));
}

/** Windows has no process groups to signal: taskkill walks the tree. Not tried on a real Windows. */
export class WindowsProcess implements ServerProcess {
  readonly pid: number;
  readonly marker: string;
  startTime = '';
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Ring;
  readonly exit: Promise<ProcessExit>;

  readonly #parts: ChildParts;
  #stopping: Promise<void> | undefined;

  constructor(parts: ChildParts) {
    const { child, limits } = parts;
    assert(child.stdin && child.stdout && child.stderr, 'all three pipes were asked for');
    this.#parts = parts;
    this.pid = parts.pid;
    this.marker = parts.marker;
    this.stdin = child.stdin;
    this.stdout = held(child.stdout);
    this.stderr = new Ring({ bytesMax: limits.stderrRingBytes, lineCharsMax: limits.redactedLineCharsMax });
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    this.exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { child, clock, limits } = this.#parts;
    this.stdin.end();
    if (!(await within(this.exit, limits.stopEofMs, clock))) {
      const killed = new Promise<void>((resolve) => {
        execFile('taskkill', ['/pid', String(this.pid), '/T', '/F'], () => resolve());
      });
      await within(Promise.all([killed, this.exit]), limits.stopTermMs, clock);
    }
    for (const stream of child.stdio) stream?.destroy();
  }
}
