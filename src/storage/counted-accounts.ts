import type { Account, AccountStore } from '../vault/store.ts';

/** Accounts, with a number that changes when they do: whoever remembers one knows when to look again. */
export class CountedAccounts implements AccountStore {
  readonly #store: AccountStore;
  #changes = 0;

  constructor(store: AccountStore) {
    this.#store = store;
  }

  /** How often something was written through this store. */
  get changes(): number {
    return this.#changes;
  }

  listAccounts(owner: string, server: string): Promise<readonly Account[]> {
    return this.#store.listAccounts(owner, server);
  }

  addAccount(owner: string, account: Omit<Account, 'isDefault'>): Promise<boolean> {
    return this.#counted(this.#store.addAccount(owner, account));
  }

  setDefaultAccount(owner: string, server: string, account: string): Promise<boolean> {
    return this.#counted(this.#store.setDefaultAccount(owner, server, account));
  }

  setDisplayName(
    owner: string,
    account: Pick<Account, 'server' | 'account'>,
    name: string,
  ): Promise<boolean> {
    return this.#counted(this.#store.setDisplayName(owner, account, name));
  }

  deleteAccount(owner: string, server: string, account: string): Promise<boolean> {
    return this.#counted(this.#store.deleteAccount(owner, server, account));
  }

  deleteAccountsOf(owner: string, server: string): Promise<number> {
    return this.#counted(this.#store.deleteAccountsOf(owner, server));
  }

  /** Counted when it is over, also when it failed: what was read meanwhile may be either. */
  async #counted<T>(writing: Promise<T>): Promise<T> {
    try {
      return await writing;
    } finally {
      this.#changes += 1;
    }
  }
}
