import type { Clock } from '../base/clock.ts';
import { PlugError } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import { checkServerId } from '../servers/definition.ts';
import { checkAccount } from './names.ts';
import type { Account, AccountStore } from './store.ts';

/** What goes with an account. The sealed vault is one. */
export interface AccountSecrets {
  deleteAllOf(owner: string, of: { readonly server: string; readonly account?: string }): Promise<number>;
}

/**
 * The accounts that an owner has at each server. There is always one default as long as there is
 * any account: the chosen one, else the oldest.
 */
export class Accounts {
  readonly #store: AccountStore;
  readonly #secrets: AccountSecrets;
  readonly #clock: Clock;
  readonly #limits: Limits;

  constructor(options: {
    readonly store: AccountStore;
    readonly secrets: AccountSecrets;
    readonly clock: Clock;
    readonly limits: Limits;
  }) {
    this.#store = options.store;
    this.#secrets = options.secrets;
    this.#clock = options.clock;
    this.#limits = options.limits;
  }

  /** Oldest first. */
  list(owner: string, server: string): Promise<readonly Account[]> {
    return this.#store.listAccounts(owner, server);
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
    if ((await this.list(owner, server)).length >= this.#limits.accountsPerServerMax) {
      throw new PlugError('unavailable', `“${server}” has too many accounts: sign out of one first.`, {
        owner: 'you',
        server,
        remedy: { do: 'choose-account', server },
      });
    }
    const added = await this.#store.addAccount(owner, {
      server,
      account,
      createdAt: this.#clock.now(),
      ...(displayName === undefined ? {} : { displayName: shorten(displayName) }),
    });
    const found = added ? await this.find(owner, server, account) : undefined;
    if (found) return found;
    throw new PlugError('already_exists', `“${server}” has an account “${account}” already.`, {
      owner: 'you',
      server,
      remedy: { do: 'choose-account', server },
    });
  }

  async setDefault(owner: string, server: string, account: string): Promise<void> {
    if (!(await this.#store.setDefaultAccount(owner, server, account))) throw unknown(server, account);
  }

  /** What the server calls the account, such as “@nick”; undefined when it does not say. */
  async setDisplayName(
    owner: string,
    of: Pick<Account, 'server' | 'account'>,
    name: string | undefined,
  ): Promise<void> {
    const shown = name === undefined ? undefined : shorten(name);
    if (!(await this.#store.setDisplayName(owner, of, shown))) throw unknown(of.server, of.account);
  }

  /** The secrets go first: a crash in between leaves an account that must sign in again, never a lost secret. */
  async remove(owner: string, server: string, account: string): Promise<void> {
    await this.#secrets.deleteAllOf(owner, { server, account });
    if (!(await this.#store.deleteAccount(owner, server, account))) throw unknown(server, account);
  }

  /** Everything that was kept for a server that goes. May be repeated. */
  async removeServer(owner: string, server: string): Promise<void> {
    await this.#secrets.deleteAllOf(owner, { server });
    await this.#store.deleteAccountsOf(owner, server);
  }
}

const DISPLAY_NAME_CHARS_MAX = 200;

function shorten(name: string): string {
  return name.slice(0, DISPLAY_NAME_CHARS_MAX).toWellFormed();
}

function unknown(server: string, account: string): PlugError {
  return new PlugError('not_found', `“${server}” has no account “${account.slice(0, 80)}”.`, {
    owner: 'you',
    server,
    remedy: { do: 'choose-account', server },
  });
}
