import type { Duplex } from 'node:stream';
import { assert } from '../../base/errors.ts';
import { killCarriers, killGroup, untilGroupGone } from './kill.ts';
import type { ChildParts, ProcessTree } from './server-process.ts';
import { within } from './within.ts';

/** The tree always ends so: the hub closes the lifeline, and the watcher its end when the tree is dead. */
export class PosixTree implements ProcessTree {
  readonly #parts: ChildParts;
  readonly #lifeline: Duplex;
  readonly #watcherGone: Promise<void>;
  #hasWatcher = true;
  /** The watcher's last word. */
  #treeEnded = false;

  constructor(parts: ChildParts) {
    const lifeline = parts.child.stdio[3] as Duplex | undefined; // a pipe, which Node makes a socket
    assert(lifeline, 'a lifeline was asked for');
    this.#parts = parts;
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
  }

  end(...server: Parameters<ProcessTree['end']>): Promise<void> {
    return this.#hasWatcher ? this.#letGo(...server) : this.#killDirectly(...server);
  }

  async #letGo(...server: Parameters<ProcessTree['end']>): Promise<void> {
    const { pid, marker, clock, limits } = this.#parts;
    this.#lifeline.end();
    const inTime = await within(this.#watcherGone, limits.stopTermMs + limits.stopSweepMs, clock);
    if (!inTime) {
      // The watcher is still in the group, so the group's number is still ours.
      killGroup(pid, 'SIGKILL');
      await killCarriers(marker);
    } else if (!this.#treeEnded) await this.#killDirectly(...server);
    await untilGroupGone(pid, { clock, ms: limits.stopLookMs });
  }

  /** The server has killed its own watcher. Until it is reaped, its pid is the group's number. */
  async #killDirectly(...[exit, hasExited]: Parameters<ProcessTree['end']>): Promise<void> {
    const { pid, marker, clock, limits } = this.#parts;
    if (!hasExited()) {
      killGroup(pid, 'SIGTERM');
      await within(exit, limits.stopTermMs, clock);
    }
    if (!hasExited()) killGroup(pid, 'SIGKILL');
    await killCarriers(marker);
    await untilGroupGone(pid, { clock, ms: limits.stopLookMs });
  }
}
