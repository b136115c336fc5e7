import type { Clock } from '../base/clock.ts';
import type { TaskGroup } from '../base/tasks.ts';
import type { ManifestDiff } from '../connections/manifest.ts';
import type { OwnerId } from '../servers/store.ts';
import type { Tombstone, ToolStore } from './store.ts';

export interface TombstonesOptions {
  readonly store: ToolStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
}

export class Tombstones {
  readonly #options: TombstonesOptions;
  readonly #byServer = new Map<string, Map<string, Tombstone>>();

  constructor(options: TombstonesOptions) {
    this.#options = options;
  }

  async load(): Promise<void> {
    const { store, owner } = this.#options;
    for (const stone of await store.listTombstones(owner)) this.#of(stone.server).set(stone.tool, stone);
  }

  of(server: string): readonly Tombstone[] {
    return [...(this.#byServer.get(server)?.values() ?? [])];
  }

  find(server: string, tool: string): Tombstone | undefined {
    return this.#byServer.get(server)?.get(tool);
  }

  changed(server: string, { added, removed }: ManifestDiff): void {
    const { store, owner, clock, tasks } = this.#options;
    const stones = this.#of(server);
    const gone = removed.slice(-STONES_MAX).map((tool): Tombstone => ({ server, tool, goneAt: clock.now() }));
    const back = added.filter((tool) => stones.delete(tool));
    for (const stone of gone) stones.set(stone.tool, stone);
    const old = [...stones.keys()].slice(0, Math.max(stones.size - STONES_MAX, 0));
    for (const tool of old) stones.delete(tool);
    const forgotten = [...back, ...old];
    if (gone.length === 0 && forgotten.length === 0) return;
    tasks.run('remember tools that are gone', async () => {
      await store.putTombstones(owner, gone);
      await store.deleteTombstones(owner, server, forgotten);
    });
  }

  forget(server: string): void {
    this.#byServer.delete(server);
  }

  #of(server: string): Map<string, Tombstone> {
    const known = this.#byServer.get(server) ?? new Map<string, Tombstone>();
    this.#byServer.set(server, known);
    return known;
  }
}

const STONES_MAX = 200;
