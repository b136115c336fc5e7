import { sql } from 'kysely';
import type { Account } from '../../vault/store.ts';
import type { CountedAccounts } from '../storage.ts';
import { columnKey, fromBody, keys, toBody } from './rows.ts';
import { deleted, type Database, type Run } from './run.ts';

type Stored = Omit<Account, 'isDefault' | 'displayName'>;

export function sqlAccountStore({ db, run }: Database): CountedAccounts {
  let changes = 0;
  /** Counted when the write is over, even if it failed: a read meanwhile may have seen either state. */
  const write: Run = (work) =>
    run(work).finally(() => {
      changes += 1;
    });
  return {
    get changes() {
      return changes;
    },
    async listAccounts(owner, server) {
      const query = db
        .selectFrom('accounts')
        .select(['body', 'is_default', 'display_name'])
        .where(keys({ owner, server }))
        .orderBy('seq');
      const rows = await run(() => query.execute());
      const chosen = rows.find((row) => row.is_default !== 0) ?? rows[0];
      return rows.map((row) => ({
        ...(fromBody('accounts', row.body) as Stored),
        ...(fromBody('accounts', row.display_name ?? '{}') as { displayName?: string }),
        isDefault: row === chosen,
      }));
    },
    async addAccount(owner, account) {
      const { displayName, ...stored } = account;
      const query = db
        .insertInto('accounts')
        .values({
          owner: columnKey(owner),
          server: columnKey(account.server),
          account: columnKey(account.account),
          is_default: 0,
          display_name: displayName === undefined ? null : toBody({ displayName }),
          body: toBody(stored),
        })
        .onConflict((conflict) => conflict.columns(['owner', 'server', 'account']).doNothing());
      const { numInsertedOrUpdatedRows } = await write(() => query.executeTakeFirst());
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    /** One statement, so that there are never two defaults and never a moment without one. */
    async setDefaultAccount(owner, server, account) {
      const there = db
        .selectFrom('accounts as one')
        .select('one.seq')
        .where('one.owner', '=', columnKey(owner))
        .where('one.server', '=', columnKey(server))
        .where('one.account', '=', columnKey(account));
      const query = db
        .updateTable('accounts')
        .set({ is_default: sql<number>`case when account = ${columnKey(account)} then 1 else 0 end` })
        .where(keys({ owner, server }))
        .where((row) => row.exists(there));
      return (await write(() => query.executeTakeFirst())).numUpdatedRows > 0n;
    },
    async setDisplayName(owner, { server, account }, name) {
      const query = db
        .updateTable('accounts')
        // As JSON: a server may call itself anything, and a text column cannot hold everything.
        .set({ display_name: name === undefined ? null : toBody({ displayName: name }) })
        .where(keys({ owner, server, account }));
      return (await write(() => query.executeTakeFirst())).numUpdatedRows > 0n;
    },
    deleteAccount: async (owner, server, account) =>
      (await deleted(write, db.deleteFrom('accounts').where(keys({ owner, server, account })))) > 0,
    deleteAccountsOf: (owner, server) =>
      deleted(write, db.deleteFrom('accounts').where(keys({ owner, server }))),
  };
}
