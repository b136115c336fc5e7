import type { Kysely } from 'kysely';
import type { Pin } from '../../catalog/pin.ts';
import type { ManifestFacts, Tombstone, ToolOverride, ToolStore } from '../../catalog/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { decidesNothing } from '../tool-overrides.ts';
import { sortedBy } from '../order.ts';
import { together } from './batches.ts';
import { Documents } from './documents.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';
import { ToolDocuments } from './tool-documents.ts';

export class SqlToolStore implements ToolStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;
  readonly #pins: ToolDocuments<Pin>;
  readonly #overrides: ToolDocuments<ToolOverride>;
  readonly #tombstones: ToolDocuments<Tombstone>;
  readonly #facts: Documents<ManifestFacts>;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
    this.#pins = new ToolDocuments(db, run, 'pins');
    this.#overrides = new ToolDocuments(db, run, 'tool_overrides');
    this.#tombstones = new ToolDocuments(db, run, 'tombstones');
    this.#facts = new Documents(db, run, 'tool_facts');
  }

  listPins(owner: OwnerId): Promise<readonly Pin[]> {
    return this.#pins.list(owner);
  }

  putPins(owner: OwnerId, pins: readonly Pin[]): Promise<void> {
    return this.#pins.putAll(owner, pins);
  }

  deletePins(owner: OwnerId, server: string, tool?: string): Promise<number> {
    return this.#pins.delete(owner, server, tool === undefined ? undefined : [tool]);
  }

  listToolOverrides(owner: OwnerId): Promise<readonly ToolOverride[]> {
    return this.#overrides.list(owner);
  }

  async putToolOverride(owner: OwnerId, override: ToolOverride): Promise<void> {
    if (decidesNothing(override)) await this.#overrides.delete(owner, override.server, [override.tool]);
    else await this.#overrides.putAll(owner, [override]);
  }

  async listFacts(owner: OwnerId): Promise<readonly ManifestFacts[]> {
    return sortedBy(await this.#facts.list(owner), (facts) => facts.server);
  }

  putFacts(owner: OwnerId, facts: ManifestFacts): Promise<void> {
    return this.#facts.put(owner, facts.server, facts);
  }

  listTombstones(owner: OwnerId): Promise<readonly Tombstone[]> {
    return this.#tombstones.list(owner);
  }

  putTombstones(owner: OwnerId, tombstones: readonly Tombstone[]): Promise<void> {
    return this.#tombstones.putAll(owner, tombstones);
  }

  async deleteTombstones(owner: OwnerId, server: string, tools: readonly string[]): Promise<void> {
    await this.#tombstones.delete(owner, server, tools);
  }

  async forgetServer(owner: OwnerId, server: string): Promise<void> {
    await together({ db: this.#db, run: this.#run }, async (db) => {
      for (const table of ['pins', 'tool_overrides', 'tombstones'] as const) {
        await db
          .deleteFrom(table)
          .where('owner', '=', keyOf(owner))
          .where('server', '=', keyOf(server))
          .execute();
      }
      await db
        .deleteFrom('tool_facts')
        .where('owner', '=', keyOf(owner))
        .where('name', '=', keyOf(server))
        .execute();
    });
  }
}
