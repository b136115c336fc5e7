import type { OwnerId } from '../../servers/store.ts';
import type { Account, AccountStore } from '../../vault/store.ts';
import { MemoryTable } from './table.ts';

export class MemoryAccountStore implements AccountStore {
  readonly #accounts = new MemoryTable<Account>();

  async listAccounts(owner: OwnerId, server: string): Promise<readonly Account[]> {
    // A Map lists in the order of insertion: oldest first.
    const accounts = this.#accounts.list(owner).filter((account) => account.server === server);
    const chosen = accounts.find((account) => account.isDefault) ?? accounts[0];
    return accounts.map((account) => ({ ...account, isDefault: account === chosen }));
  }

  async addAccount(owner: OwnerId, account: Omit<Account, 'isDefault'>): Promise<boolean> {
    if (this.#accounts.get(owner, account.server, account.account)) return false;
    this.#accounts.put({ ...account, isDefault: false }, owner, account.server, account.account);
    return true;
  }

  async setDefaultAccount(owner: OwnerId, server: string, account: string): Promise<boolean> {
    if (!this.#accounts.get(owner, server, account)) return false;
    for (const other of this.#accounts.list(owner).filter((one) => one.server === server)) {
      this.#put(owner, { ...other, isDefault: other.account === account });
    }
    return true;
  }

  async setDisplayName(
    owner: OwnerId,
    { server, account }: Pick<Account, 'server' | 'account'>,
    name: string,
  ): Promise<boolean> {
    const before = this.#accounts.get(owner, server, account);
    if (!before) return false;
    this.#put(owner, { ...before, displayName: name });
    return true;
  }

  async deleteAccount(owner: OwnerId, server: string, account: string): Promise<boolean> {
    return this.#accounts.delete(owner, server, account);
  }

  async deleteAccountsOf(owner: OwnerId, server: string): Promise<number> {
    const own = this.#accounts.list(owner).filter((account) => account.server === server);
    for (const { account } of own) this.#accounts.delete(owner, server, account);
    return own.length;
  }

  /** Replacing keeps the place in the order. */
  #put(owner: OwnerId, account: Account): void {
    this.#accounts.put(account, owner, account.server, account.account);
  }
}
