import { sql, type Kysely } from 'kysely';
import type { OwnerId } from '../../servers/store.ts';
import type { Account, AccountStore } from '../../vault/store.ts';
import { fromBody, toBody } from './body.ts';
import { keyOf } from './key.ts';
import type { Run } from './run.ts';
import type { Tables } from './schema.ts';

type Stored = Omit<Account, 'isDefault' | 'displayName'>;

export class SqlAccountStore implements AccountStore {
  readonly #db: Kysely<Tables>;
  readonly #run: Run;

  constructor(db: Kysely<Tables>, run: Run) {
    this.#db = db;
    this.#run = run;
  }

  async listAccounts(owner: OwnerId, server: string): Promise<readonly Account[]> {
    const query = this.#db
      .selectFrom('accounts')
      .select(['body', 'is_default', 'display_name'])
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server))
      .orderBy('seq');
    const rows = await this.#run(() => query.execute());
    const chosen = rows.find((row) => row.is_default !== 0) ?? rows[0];
    return rows.map((row) => ({
      ...(fromBody('accounts', row.body) as Stored),
      ...(row.display_name === null
        ? {}
        : (fromBody('accounts', row.display_name) as { displayName: string })),
      isDefault: row === chosen,
    }));
  }

  async addAccount(owner: OwnerId, account: Omit<Account, 'isDefault'>): Promise<boolean> {
    const { displayName, ...stored } = account;
    const query = this.#db
      .insertInto('accounts')
      .values({
        owner: keyOf(owner),
        server: keyOf(account.server),
        account: keyOf(account.account),
        is_default: 0,
        display_name: displayName === undefined ? null : toBody({ displayName }),
        body: toBody(stored),
      })
      .onConflict((conflict) => conflict.columns(['owner', 'server', 'account']).doNothing());
    const { numInsertedOrUpdatedRows } = await this.#run(() => query.executeTakeFirst());
    return (numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** One statement, so that there are never two defaults and never a moment without one. */
  async setDefaultAccount(owner: OwnerId, server: string, account: string): Promise<boolean> {
    const there = this.#db
      .selectFrom('accounts as one')
      .select('one.seq')
      .where('one.owner', '=', keyOf(owner))
      .where('one.server', '=', keyOf(server))
      .where('one.account', '=', keyOf(account));
    const query = this.#db
      .updateTable('accounts')
      .set({ is_default: sql<number>`case when account = ${keyOf(account)} then 1 else 0 end` })
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server))
      .where((row) => row.exists(there));
    return (await this.#run(() => query.executeTakeFirst())).numUpdatedRows > 0n;
  }

  async setDisplayName(
    owner: OwnerId,
    { server, account }: Pick<Account, 'server' | 'account'>,
    name: string,
  ): Promise<boolean> {
    const query = this.#db
      .updateTable('accounts')
      // As JSON: a server may call itself anything, and a text column cannot hold everything.
      .set({ display_name: toBody({ displayName: name }) })
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server))
      .where('account', '=', keyOf(account));
    return (await this.#run(() => query.executeTakeFirst())).numUpdatedRows > 0n;
  }

  async deleteAccount(owner: OwnerId, server: string, account: string): Promise<boolean> {
    const query = this.#db
      .deleteFrom('accounts')
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server))
      .where('account', '=', keyOf(account));
    return (await this.#run(() => query.executeTakeFirst())).numDeletedRows > 0n;
  }

  async deleteAccountsOf(owner: OwnerId, server: string): Promise<number> {
    const query = this.#db
      .deleteFrom('accounts')
      .where('owner', '=', keyOf(owner))
      .where('server', '=', keyOf(server));
    return Number((await this.#run(() => query.executeTakeFirst())).numDeletedRows);
  }
}
