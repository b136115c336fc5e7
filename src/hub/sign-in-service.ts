import type { Fetch } from '../connections/http/capped-fetch.ts';
import type { SignIns, SignInTarget } from '../connections/sign-in/sign-ins.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Limits } from '../base/limits.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import { Accounts } from '../vault/accounts.ts';
import { secretName } from '../vault/names.ts';
import type { SealedVault } from '../vault/sealed-vault.ts';

export const DEFAULT_ACCOUNT = 'default';

export interface SignInServiceOptions {
  readonly owner: string;
  readonly vault: SealedVault;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Signing in for the hub. Its code is large: it is loaded with the first remote server. */
export class SignInService {
  readonly #options: SignInServiceOptions;
  #loaded: Promise<SignIns> | undefined;

  constructor(options: SignInServiceOptions) {
    this.#options = options;
  }

  get accounts(): Accounts {
    return this.#options.accounts;
  }

  signIns(): Promise<SignIns> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async fetchFor(definition: ServerDefinition, url: string, fetch: Fetch): Promise<Fetch> {
    const account = await this.#options.accounts.find(this.#options.owner, definition.id);
    return (await this.signIns()).wrap(this.target(definition.id, url, account?.account), fetch);
  }

  target(server: string, url: string, account: string = DEFAULT_ACCOUNT): SignInTarget {
    return { server, url, key: secretName({ server, account, field: 'sign-in' }) };
  }

  async close(): Promise<void> {
    if (this.#loaded) await (await this.#loaded).close();
  }

  async #load(): Promise<SignIns> {
    const [{ SignIns }, { signInsIn }] = await Promise.all([
      import('../connections/sign-in/sign-ins.ts'),
      import('../connections/sign-in/vault-store.ts'),
    ]);
    const { vault, owner, clock, ids, limits, env } = this.#options;
    // Whoever publishes a client metadata document for this installation names it here.
    const metadataUrl = env['PLUG_CLIENT_METADATA_URL'];
    return new SignIns({ store: signInsIn(vault, owner), metadataUrl, clock, ids, limits, env });
  }
}
