import type { Kysely } from 'kysely';
import type { LearnedStore, LearnedTool } from '../../catalog/learned/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';
import { ToolDocuments } from './tool-documents.ts';

export class SqlLearnedStore implements LearnedStore {
  readonly #rows: ToolDocuments<LearnedTool>;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#rows = new ToolDocuments(db, run, 'learned_outputs');
  }

  listLearned(owner: OwnerId): Promise<readonly LearnedTool[]> {
    return this.#rows.list(owner);
  }

  putLearned(owner: OwnerId, learned: readonly LearnedTool[]): Promise<void> {
    return this.#rows.putAll(owner, learned);
  }

  async forgetServer(owner: OwnerId, server: string): Promise<void> {
    await this.#rows.delete(owner, server);
  }
}
