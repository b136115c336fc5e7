import type { Cancel, Clock } from '../../base/clock.ts';
import type { TaskGroup } from '../../base/tasks.ts';
import { usageOf, type Tree, type TreeUsage } from './usage.ts';

const SAMPLE_EVERY_MS = 10_000;
/** With no list for so long, sampling pauses. */
const INTEREST_MS = 5 * 60_000;

interface Parts {
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  readonly measure?: typeof usageOf;
}

/**
 * Counting processes means reading the whole process table, which takes longer the more servers run.
 * So lists are answered from samples, which are renewed in the background while lists are asked for.
 */
export class UsageSamples {
  readonly #parts: Parts;
  readonly #samples = new Map<string, { readonly tree: Tree; readonly usage: TreeUsage }>();
  #sampling: Promise<void> | undefined;
  #askedAt = 0;
  #stopTicking: Cancel | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Waits only for a tree that has just started, which no sample has seen yet. */
  async of(trees: readonly Tree[]): Promise<readonly TreeUsage[]> {
    if (trees.length === 0) return [];
    const { clock } = this.#parts;
    this.#askedAt = clock.monotonic();
    this.#stopTicking ??= clock.every(SAMPLE_EVERY_MS, () => this.#tick());
    // The sample under way may have begun before the tree was there.
    while (!trees.every(({ marker }) => this.#samples.has(marker))) await this.#sample(trees);
    return trees.map(({ marker }) => this.#samples.get(marker)?.usage ?? NONE);
  }

  close(): void {
    this.#stopTicking?.();
    this.#stopTicking = undefined;
    this.#samples.clear();
  }

  #tick(): void {
    const { clock, tasks } = this.#parts;
    for (const [marker, { usage }] of this.#samples) if (usage.processes === 0) this.#samples.delete(marker);
    const isWanted = clock.monotonic() - this.#askedAt < INTEREST_MS;
    if (!isWanted || this.#samples.size === 0) return this.close();
    const trees = [...this.#samples.values()].map(({ tree }) => tree);
    tasks.run('sample the memory of servers', () => this.#sample(trees));
  }

  #sample(trees: readonly Tree[]): Promise<void> {
    this.#sampling ??= this.#take(trees).finally(() => {
      this.#sampling = undefined;
    });
    return this.#sampling;
  }

  async #take(trees: readonly Tree[]): Promise<void> {
    const usages = await (this.#parts.measure ?? usageOf)(trees);
    trees.forEach((tree, index) => this.#samples.set(tree.marker, { tree, usage: usages[index] ?? NONE }));
  }
}

const NONE: TreeUsage = { processes: 0, rssBytes: 0 };
