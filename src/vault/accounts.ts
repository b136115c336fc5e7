import type { Clock } from '../base/clock.ts';
import { PlugError, type ErrorCode } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import { checkServerId } from '../servers/definition.ts';
import { checkAccount } from './names.ts';
import type { SealedVault } from './sealed-vault.ts';
import type { Account, AccountStore } from './store.ts';

interface AccountsOptions {
  readonly store: AccountStore;
  readonly secrets: Pick<SealedVault, 'deleteAllOf'>;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** The accounts of each server. One of them is always the default: the chosen one, else the oldest. */
export class Accounts {
  readonly #options: AccountsOptions;
  readonly #store: AccountStore;

  constructor(options: AccountsOptions) {
    this.#options = options;
    this.#store = options.store;
  }

  /** Oldest first. */
  list(owner: string, server: string): Promise<readonly Account[]> {
    return this.#store.listAccounts(owner, server);
  }

  /** The default account of every server, by its id. */
  async defaults(owner: string): Promise<ReadonlyMap<string, Account>> {
    const all = await this.#store.listDefaultAccounts(owner);
    return new Map(all.map((account) => [account.server, account]));
  }

  /** The named account, or the default; undefined when there is none. */
  async find(owner: string, server: string, account?: string): Promise<Account | undefined> {
    const all = await this.list(owner, server);
    return all.find((one) => (account === undefined ? one.isDefault : one.account === account));
  }

  async add(owner: string, given: Pick<Account, 'server' | 'account' | 'displayName'>): Promise<Account> {
    const { server, account, displayName } = given;
    checkServerId(server);
    checkAccount(account);
    const { clock, limits } = this.#options;
    if ((await this.list(owner, server)).length >= limits.accountsPerServerMax) {
      throw refused('unavailable', server, 'has too many accounts: sign out of one first');
    }
    const added = await this.#store.addAccount(owner, {
      server,
      account,
      createdAt: clock.now(),
      ...(displayName === undefined ? {} : { displayName: shorten(displayName) }),
    });
    const found = added ? await this.find(owner, server, account) : undefined;
    if (found) return found;
    throw refused('already_exists', server, `has an account “${account}” already`);
  }

  async setDefault(owner: string, server: string, account: string): Promise<void> {
    if (!(await this.#store.setDefaultAccount(owner, server, account))) throw unknown(server, account);
  }

  /** The server's name for the account, such as “@nick”; undefined when it does not say. */
  async setDisplayName(
    owner: string,
    of: Pick<Account, 'server' | 'account'>,
    name: string | undefined,
  ): Promise<void> {
    const shown = name === undefined ? undefined : shorten(name);
    if (!(await this.#store.setDisplayName(owner, of, shown))) throw unknown(of.server, of.account);
  }

  /** Secrets first: a crash in between leaves an account that must sign in again, never a lost secret. */
  async remove(owner: string, server: string, account: string): Promise<void> {
    await this.#options.secrets.deleteAllOf(owner, { server, account });
    if (!(await this.#store.deleteAccount(owner, server, account))) throw unknown(server, account);
  }

  async removeServer(owner: string, server: string): Promise<void> {
    await this.#options.secrets.deleteAllOf(owner, { server });
    await this.#store.deleteAccountsOf(owner, server);
  }
}

const DISPLAY_NAME_CHARS_MAX = 200;

function shorten(name: string): string {
  return name.slice(0, DISPLAY_NAME_CHARS_MAX).toWellFormed();
}

function unknown(server: string, account: string): PlugError {
  return refused('not_found', server, `has no account “${account.slice(0, 80)}”`);
}

function refused(code: ErrorCode, server: string, why: string): PlugError {
  const remedy = { do: 'choose-account', server } as const;
  return new PlugError(code, `“${server}” ${why}.`, { owner: 'you', server, remedy });
}
