import type { LearnedStore, LearnedTool } from '../../catalog/learned/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { sortedBy } from '../order.ts';
import { MemoryTable } from './table.ts';

export class MemoryLearnedStore implements LearnedStore {
  readonly #rows = new MemoryTable<LearnedTool>();

  async listLearned(owner: OwnerId): Promise<readonly LearnedTool[]> {
    return sortedBy(this.#rows.list(owner), ({ server, tool }) => JSON.stringify([server, tool]));
  }

  async putLearned(owner: OwnerId, learned: readonly LearnedTool[]): Promise<void> {
    for (const row of learned) this.#rows.put(row, owner, row.server, row.tool);
  }

  async forgetServer(owner: OwnerId, server: string): Promise<void> {
    for (const row of this.#rows.list(owner)) {
      if (row.server === server) this.#rows.delete(owner, server, row.tool);
    }
  }
}
