import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Limits } from '../../base/limits.ts';
import type { Ring } from './ring.ts';

export interface ProcessOptions {
  /** An absolute path; see find-command.ts. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the server; see environment.ts. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
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
