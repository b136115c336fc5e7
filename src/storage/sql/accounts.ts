import { sql } from 'kysely';
import type { Account } from '../../vault/store.ts';
import type { CountedAccounts } from '../storage.ts';
import { columnKey, fromBody, keys, toBody } from './rows.ts';
import { deleted, type Database } from './run.ts';

type Stored = Omit<Account, 'isDefault' | 'displayName'>;

interface Row {
  readonly body: string;
  readonly is_default: number;
  readonly display_name: string | null;
}

/** Of one server's, oldest first: the chosen one, else the oldest. */
function defaultOf<T extends Row>(rows: readonly T[]): T | undefined {
  return rows.find((row) => row.is_default !== 0) ?? rows[0];
}

function toAccount({ body, display_name }: Row, isDefault: boolean): Account {
  return {
    ...(fromBody('accounts', body) as Stored),
    ...(fromBody('accounts', display_name ?? '{}') as { displayName?: string }),
    isDefault,
  };
}

export function sqlAccountStore(database: Database): CountedAccounts {
  let changes = 0;
  /** Counted when the write is over, even if it failed: a read meanwhile may have seen either state. */
  const write: Database['own'] = (owner, work) =>
    database.own(owner, work).finally(() => {
      changes += 1;
    });
  return {
    get changes() {
      return changes;
    },
    async listAccounts(owner, server) {
      const stored = await database.own(owner, (rows) =>
        rows
          .select('accounts')
          .select(['body', 'is_default', 'display_name'])
          .where(keys({ server }))
          .orderBy('seq')
          .execute(),
      );
      const chosen = defaultOf(stored);
      return stored.map((row) => toAccount(row, row === chosen));
    },
    async listDefaultAccounts(owner) {
      const stored = await database.own(owner, (rows) =>
        rows
          .select('accounts')
          .select(['server', 'body', 'is_default', 'display_name'])
          .orderBy('seq')
          .execute(),
      );
      const ofServers = [...Map.groupBy(stored, ({ server }) => server).values()];
      return ofServers.flatMap((rows) => {
        const chosen = defaultOf(rows);
        return chosen ? [toAccount(chosen, true)] : [];
      });
    },
    async addAccount(owner, account) {
      const { displayName, ...stored } = account;
      const row = {
        server: columnKey(account.server),
        account: columnKey(account.account),
        is_default: 0,
        display_name: displayName === undefined ? null : toBody({ displayName }),
        body: toBody(stored),
      };
      const { numInsertedOrUpdatedRows } = await write(owner, (rows) =>
        rows
          .insert('accounts', row)
          .onConflict((conflict) => conflict.columns(['owner', 'server', 'account']).doNothing())
          .executeTakeFirst(),
      );
      return (numInsertedOrUpdatedRows ?? 0n) > 0n;
    },
    /** One statement, so that there are never two defaults and never a moment without one. */
    async setDefaultAccount(owner, server, account) {
      const { numUpdatedRows } = await write(owner, (rows) => {
        const there = rows.select('accounts').select('seq').where(keys({ server, account }));
        return rows
          .update('accounts')
          .set({ is_default: sql<number>`case when account = ${columnKey(account)} then 1 else 0 end` })
          .where(keys({ server }))
          .where((row) => row.exists(there))
          .executeTakeFirst();
      });
      return numUpdatedRows > 0n;
    },
    async setDisplayName(owner, { server, account }, name) {
      const { numUpdatedRows } = await write(owner, (rows) =>
        rows
          .update('accounts')
          // As JSON: a server may call itself anything, and a text column cannot hold everything.
          .set({ display_name: name === undefined ? null : toBody({ displayName: name }) })
          .where(keys({ server, account }))
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },
    deleteAccount: async (owner, server, account) =>
      (await write(owner, (rows) => deleted(rows.delete('accounts').where(keys({ server, account }))))) > 0,
    deleteAccountsOf: (owner, server) =>
      write(owner, (rows) => deleted(rows.delete('accounts').where(keys({ server })))),
  };
}
