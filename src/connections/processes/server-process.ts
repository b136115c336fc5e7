import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { assert, ignore } from '../../base/errors.ts';
import type { Bounds, Runtime } from '../limits.ts';
import { Ring } from './ring.ts';
import { within } from './within.ts';

export interface ProcessOptions extends Runtime {
  /** An absolute path; see find-command.ts. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProcessExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running server and all it started. */
export interface ServerProcess {
  readonly pid: number;
  /** Value of the marker variable that the whole tree carries. */
  readonly marker: string;
  /** With the pid it identifies the process beyond recycling; empty when it is already gone. */
  readonly startTime: string;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Ring;
  /** Resolves when the server itself has ended. Its stdout may still hold unread output; see `drained`. */
  readonly exit: Promise<ProcessExit>;
  /** Ends the whole tree: end of input, TERM, KILL. May be called at any time, and twice. */
  stop(): Promise<void>;
}

export interface ChildParts extends Bounds {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly marker: string;
}

/** A platform's way to end a server and all it started. */
export interface ProcessTree {
  /** Called once. */
  end(exit: Promise<ProcessExit>, hasExited: () => boolean): Promise<void>;
}

export class ChildServer implements ServerProcess {
  readonly pid: number;
  readonly marker: string;
  startTime = '';
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Ring;
  readonly exit: Promise<ProcessExit>;
  readonly #parts: ChildParts;
  readonly #tree: ProcessTree;
  #hasExited = false;
  #ending: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(parts: ChildParts, tree: ProcessTree) {
    const { child, limits } = parts;
    assert(child.stdin && child.stdout && child.stderr, 'all pipes were asked for');
    this.#parts = parts;
    this.#tree = tree;
    this.pid = parts.pid;
    this.marker = parts.marker;
    this.stdin = child.stdin;
    this.stdout = held(child.stdout);
    this.stderr = new Ring({ bytesMax: limits.stderrRingBytes, lineCharsMax: limits.redactedLineCharsMax });
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    // The writer hears of broken pipes; here they must only not end the hub.
    for (const stream of child.stdio) stream?.on('error', () => undefined);
    this.exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#hasExited = true;
        // A server that ended by itself may have left others behind.
        ignore(this.#endTree(), 'a failed kill is met again by stop() and by the next start');
        resolve({ code, signal });
      });
    });
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    const { child, clock, limits } = this.#parts;
    this.stdin.end();
    await within(this.exit, limits.stopEofMs, clock);
    await this.#endTree();
    for (const stream of child.stdio) stream?.destroy();
  }

  #endTree(): Promise<void> {
    this.#ending ??= this.#tree.end(this.exit, () => this.#hasExited);
    return this.#ending;
  }
}

/** At an exit Node discards unread output, unless there is a listener for 'readable'; it goes when data is read. */
function held(stream: Readable): Readable {
  const hold = (): void => undefined;
  const release = (event: string | symbol): void => {
    if (event !== 'data') return;
    stream.off('readable', hold);
    stream.off('newListener', release);
  };
  stream.on('readable', hold);
  stream.on('newListener', release);
  return stream;
}
