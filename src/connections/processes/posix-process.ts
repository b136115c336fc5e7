import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable, Writable } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { assert, ignore } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import { held } from './held.ts';
import { killCarriers, killGroup, untilGroupGone } from './kill.ts';
import { Ring } from './ring.ts';
import type { ProcessExit, ServerProcess } from './server-process.ts';
import { within } from './within.ts';

export interface ChildParts {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly marker: string;
  readonly clock: Clock;
  readonly limits: Limits;
}

/**
 * A server under its watcher. There is one way to end its tree, whatever the reason: the hub
 * lets go of the lifeline, and the watcher lets go of its end when the tree is dead.
 */
export class PosixProcess implements ServerProcess {
  readonly pid: number;
  readonly marker: string;
  startTime = '';
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Ring;
  readonly exit: Promise<ProcessExit>;

  readonly #parts: ChildParts;
  readonly #lifeline: Duplex;
  readonly #watcherGone: Promise<void>;
  #hasExited = false;
  #hasWatcher = true;
  /** The watcher's last word. */
  #treeEnded = false;
  #ending: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(parts: ChildParts) {
    const { child, limits } = parts;
    const lifeline = child.stdio[3] as Duplex | undefined; // a pipe, which Node makes a socket
    assert(child.stdin && child.stdout && child.stderr && lifeline, 'all four pipes were asked for');
    this.#parts = parts;
    this.pid = parts.pid;
    this.marker = parts.marker;
    this.stdin = child.stdin;
    this.stdout = held(child.stdout);
    this.stderr = new Ring({ bytesMax: limits.stderrRingBytes, lineCharsMax: limits.redactedLineCharsMax });
    child.stderr.on('data', (chunk: Buffer) => this.stderr.push(chunk));
    // Broken pipes are told to the writer; here they must only not end the hub.
    for (const stream of [child.stdin, child.stdout, child.stderr, lifeline])
      stream.on('error', () => undefined);

    this.#lifeline = lifeline;
    this.#watcherGone = new Promise((resolve) => {
      const gone = (): void => {
        this.#hasWatcher = false;
        resolve();
      };
      lifeline.once('end', gone).once('close', gone);
      lifeline.on('data', () => {
        this.#treeEnded = true;
      });
    });
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
    this.#ending ??= this.#hasWatcher ? this.#letGo() : this.#killDirectly();
    return this.#ending;
  }

  async #letGo(): Promise<void> {
    const { clock, limits } = this.#parts;
    this.#lifeline.end();
    const inTime = await within(this.#watcherGone, limits.stopTermMs + limits.stopSweepMs, clock);
    if (!inTime) {
      // The watcher is still in the group, so the group's number is still ours.
      killGroup(this.pid, 'SIGKILL');
      await killCarriers(this.marker);
    } else if (!this.#treeEnded) await this.#killDirectly();
    await untilGroupGone(this.pid, { clock, ms: limits.stopLookMs });
  }

  /** The server has killed its own watcher. Until it is reaped, its pid is the group's number. */
  async #killDirectly(): Promise<void> {
    const { clock, limits } = this.#parts;
    if (!this.#hasExited) {
      killGroup(this.pid, 'SIGTERM');
      await within(this.exit, limits.stopTermMs, clock);
    }
    if (!this.#hasExited) killGroup(this.pid, 'SIGKILL');
    await killCarriers(this.marker);
    await untilGroupGone(this.pid, { clock, ms: limits.stopLookMs });
  }
}
