import type { Kysely } from 'kysely';
import type { OwnerId } from '../../servers/store.ts';
import type { ModelStore, StoredModel } from '../../vault/models.ts';
import { sortedBy } from '../order.ts';
import { Documents } from './documents.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlModelStore implements ModelStore {
  readonly #models: Documents<StoredModel>;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#models = new Documents(db, run, 'models');
  }

  async listModels(owner: OwnerId): Promise<readonly StoredModel[]> {
    return sortedBy(await this.#models.list(owner), (model) => model.name);
  }

  putModel(owner: OwnerId, model: StoredModel): Promise<void> {
    return this.#models.put(owner, model.name, model);
  }

  deleteModel(owner: OwnerId, name: string): Promise<boolean> {
    return this.#models.delete(owner, name);
  }
}
