import type { Clock } from '../base/clock.ts';
import type { Limits } from '../base/limits.ts';
import { PlugError } from '../base/errors.ts';
import { takesAccount } from '../connections/own-key.ts';
import type { PooledServer } from '../connections/pool.ts';
import type { SignInService } from '../connections/sign-in/sign-in-service.ts';
import type { AskedAccount } from '../policy/decision.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { ownKeys } from '../servers/own-keys.ts';
import { accountId } from '../vault/account-id.ts';
import type { AccountStore } from '../vault/store.ts';
import { isObject, type JsonObject } from '../base/json.ts';

export interface UsedAccountsOptions {
  /** `changes` differs after every write. */
  readonly store: AccountStore & { readonly changes: number };
  readonly owner: string;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly signIn: SignInService;
}

/** Re-read on a write here and after a moment; a stale one sends nothing, as a session knows its account. */
export class UsedAccounts {
  readonly #options: UsedAccountsOptions;
  readonly #known = new Map<string, AskedAccount | undefined>();
  #changes = 0;
  #until = 0;

  constructor(options: UsedAccountsOptions) {
    this.#options = options;
  }

  /** The named account or the default; undefined where none is used. Synchronous without accounts. */
  of(
    { key: server, definition }: PooledServer,
    wanted?: string,
  ): Promise<AskedAccount | undefined> | AskedAccount | undefined {
    if (!takesAccount(definition.endpoint) && ownKeys(definition).length === 0) return undefined;
    const { store, clock, limits } = this.#options;
    const now = clock.monotonic();
    if (this.#changes !== store.changes || now >= this.#until) {
      this.#known.clear();
      this.#changes = store.changes;
      this.#until = now + limits.accountsKeptMs;
    }
    const key = wanted === undefined ? server : `${server}\n${wanted}`;
    return this.#known.has(key) ? this.#known.get(key) : this.#read(key, definition, wanted);
  }

  async #read(
    key: string,
    definition: ServerDefinition,
    wanted: string | undefined,
  ): Promise<AskedAccount | undefined> {
    const { store, owner, signIn } = this.#options;
    const { changes } = store;
    const all = await store.listAccounts(owner, definition.id);
    const found = all.find((each) => (wanted === undefined ? each.isDefault : each.account === wanted));
    // Accounts are stored by server name, which may mean another server elsewhere.
    const keyed = ownKeys(definition).length > 0;
    const signedIn =
      found && (keyed ? { identity: undefined } : await signIn.status(definition, found.account));
    const account = signedIn && {
      id: accountId(found.account, signedIn.identity),
      name: found.account,
      shown: found.displayName === undefined ? found.account : `${found.account} (${found.displayName})`,
      isDefault: found.isDefault,
    };
    if (store.changes === changes && this.#changes === changes) this.#known.set(key, account);
    return account;
  }
}

export function noAccount(server: string, account: string): PlugError {
  const shown = account.slice(0, 80);
  return new PlugError('not_found', `“${server}” has no account “${shown}”.`, {
    owner: 'you',
    server,
    remedy: { do: 'sign-in', server, account: shown },
  });
}

/** The accounts of tasks that hosts follow: later requests use the account the call was decided for. */
export class TaskAccounts {
  readonly #known = new Map<string, AskedAccount>();

  begun({ key }: PooledServer, answer: JsonObject, as: AskedAccount | undefined): void {
    if (as === undefined) return;
    const { task, taskId = isObject(task) ? task['taskId'] : undefined } = answer;
    if (typeof taskId !== 'string' || taskId.length > TASK_ID_CHARS_MAX) return;
    const [oldest] = this.#known.size >= KEPT_MAX ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(`${key}\n${taskId}`, as);
  }

  get isEmpty(): boolean {
    return this.#known.size === 0;
  }

  of({ key }: PooledServer, taskId: unknown): AskedAccount | undefined {
    return typeof taskId === 'string' ? this.#known.get(`${key}\n${taskId}`) : undefined;
  }
}

const KEPT_MAX = 1_000;
const TASK_ID_CHARS_MAX = 1_000;
