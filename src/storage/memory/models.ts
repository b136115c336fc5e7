import type { OwnerId } from '../../servers/store.ts';
import type { ModelStore, StoredModel } from '../../vault/models.ts';
import { sortedBy } from '../order.ts';
import { MemoryTable } from './table.ts';

export class MemoryModelStore implements ModelStore {
  readonly #models = new MemoryTable<StoredModel>();

  async listModels(owner: OwnerId): Promise<readonly StoredModel[]> {
    return sortedBy(this.#models.list(owner), (model) => model.name);
  }

  async putModel(owner: OwnerId, model: StoredModel): Promise<void> {
    this.#models.put(model, owner, model.name);
  }

  async deleteModel(owner: OwnerId, name: string): Promise<boolean> {
    return this.#models.delete(owner, name);
  }
}
