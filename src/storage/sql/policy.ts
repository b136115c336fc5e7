import type { Kysely } from 'kysely';
import type { Grant } from '../../policy/grant.ts';
import type { PolicyStore, ServerTrust } from '../../policy/store.ts';
import type { OwnerId } from '../../servers/store.ts';
import { assertKept, oldestFirst } from '../kept-grants.ts';
import { sortedBy } from '../order.ts';
import { together } from './batches.ts';
import { fromBody, toBody } from './body.ts';
import { Documents } from './documents.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

export class SqlPolicyStore implements PolicyStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;
  readonly #trust: Documents<ServerTrust>;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
    this.#trust = new Documents(db, run, 'server_trust');
  }

  async listGrants(owner: OwnerId): Promise<readonly Grant[]> {
    const query = this.#db.selectFrom('grants').select('body').where('owner', '=', keyOf(owner));
    const rows = await this.#run(() => query.execute());
    return oldestFirst(rows.map((row) => fromBody('grants', row.body) as Grant));
  }

  async putGrant(owner: OwnerId, grant: Grant): Promise<void> {
    assertKept(grant);
    const query = this.#db
      .insertInto('grants')
      .values({
        owner: keyOf(owner),
        id: keyOf(grant.id),
        server: keyOf(grant.server),
        body: toBody(grant),
      })
      .onConflict((conflict) =>
        conflict.columns(['owner', 'id']).doUpdateSet((row) => ({
          server: row.ref('excluded.server'),
          body: row.ref('excluded.body'),
        })),
      );
    await this.#run(() => query.execute());
  }

  /**
   * One statement: the database sees to it that of many who delete a grant one alone is told so.
   * Where a lost connection costs us the answer, nobody is: the grant is gone unused.
   */
  async deleteGrant(owner: OwnerId, id: string): Promise<boolean> {
    const query = this.#db.deleteFrom('grants').where('owner', '=', keyOf(owner)).where('id', '=', keyOf(id));
    return (await this.#run(() => query.executeTakeFirst())).numDeletedRows > 0n;
  }

  async listServerTrust(owner: OwnerId): Promise<readonly ServerTrust[]> {
    return sortedBy(await this.#trust.list(owner), (trust) => trust.server);
  }

  putServerTrust(owner: OwnerId, trust: ServerTrust): Promise<void> {
    return this.#trust.put(owner, trust.server, trust);
  }

  deleteServerTrust(owner: OwnerId, server: string): Promise<boolean> {
    return this.#trust.delete(owner, server);
  }

  async forgetServer(owner: OwnerId, server: string): Promise<void> {
    await together({ db: this.#db, run: this.#run }, async (db) => {
      await db
        .deleteFrom('grants')
        .where('owner', '=', keyOf(owner))
        .where('server', '=', keyOf(server))
        .execute();
      await db
        .deleteFrom('server_trust')
        .where('owner', '=', keyOf(owner))
        .where('name', '=', keyOf(server))
        .execute();
    });
  }
}
