import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { ignore, messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { limits as defaultLimits } from '../../base/limits.ts';
import type { Logger } from '../../base/logger.ts';
import { TaskGroup } from '../../base/tasks.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import type { AssertionTarget, Identity } from '../../connections/sign-in/identity.ts';
import type { Renewal } from '../../connections/sign-in/renewal.ts';
import { type SignIn, signInsIn, type SignInStore, type Tokens } from '../../connections/sign-in/sign-in.ts';
import { TokenKeeper } from '../../connections/sign-in/token-keeper.ts';
import type { Storage } from '../../storage/open.ts';
import { SealedVault } from '../../vault/sealed-vault.ts';
import { ownerOf } from '../owners.ts';
import type { People } from '../people.ts';
import type { SingleSignOn } from '../single-sign-on.ts';
import { ProviderClient, signInAgain, tokensOf } from './provider.ts';

export interface IdentitiesOptions {
  readonly singleSignOn: SingleSignOn;
  readonly storage: Pick<Storage, 'vault'>;
  /** With the key of the vaults. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** For addresses that the operator has named. */
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** What the sign-in library hands us of the provider. */
export interface ProviderTokens {
  readonly idToken?: string | null | undefined;
  readonly refreshToken?: string | null | undefined;
}

/** Under this name in the vault of each person. */
const KEY = 'identity-provider';

/** What the identity provider gave people who signed in with it: sealed in their vaults, for servers that take its word. */
export class Identities implements AsyncDisposable {
  readonly #options: IdentitiesOptions;
  readonly #provider: ProviderClient;
  readonly #tasks: TaskGroup;

  constructor(options: IdentitiesOptions) {
    this.#options = options;
    const { singleSignOn, fetch, clock, logger } = options;
    this.#provider = new ProviderClient({ singleSignOn, fetch, clock });
    this.#tasks = new TaskGroup(logger);
  }

  /** With each sign-in; what was there is replaced. */
  async keep(owner: string, { idToken, refreshToken }: ProviderTokens): Promise<void> {
    if (!idToken) return;
    const signIn = this.#signInWith(tokensOf(idToken, refreshToken ?? undefined));
    const store = this.#storeOf(owner);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const before = await store.get(KEY);
      if (await store.save(KEY, signIn, before?.version)) return;
    }
  }

  /** From now on; what is kept ends with the person's sessions. */
  follow(people: Pick<People, 'onIdentified' | 'onChange'>): this {
    const { logger } = this.#options;
    people.onIdentified(async (id, tokens) => {
      try {
        await this.keep(ownerOf({ id }), tokens);
      } catch (error) {
        // They are signed in all the same; servers ask them in the browser.
        logger.warn('what the identity provider gave was not kept', { error: messageOf(error) });
      }
    });
    people.onChange((gone) => {
      if (gone !== undefined) ignore(this.forget(ownerOf({ id: gone })), 'the next sign-in replaces it');
    });
    return this;
  }

  async forget(owner: string): Promise<void> {
    await this.#storeOf(owner).delete(KEY);
  }

  for(owner: string): Identity {
    const { clock, ids } = this.#options;
    const keeper = new TokenKeeper({
      server: 'the identity provider',
      key: KEY,
      store: this.#storeOf(owner),
      renewal: this.#renewal(),
      clock,
      ids,
      limits: defaultLimits,
    });
    return {
      assertionFor: async (target: AssertionTarget) => {
        // The person may have signed in again, at another replica.
        keeper.forget();
        const idToken = await keeper.token();
        return idToken === undefined ? undefined : await this.#provider.exchanged(idToken, target);
      },
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tasks.close();
  }

  #renewal(): Renewal {
    return {
      begin: () => Promise.resolve(undefined),
      canRenew: ({ tokens }) => tokens?.refresh !== undefined,
      request: ({ tokens }) => this.#provider.refreshed(tokens?.refresh ?? ''),
      refused: signInAgain,
    };
  }

  #signInWith(tokens: Tokens): SignIn {
    const { issuer } = this.#provider;
    const nowhere = { issuer, authorization_endpoint: '', token_endpoint: '' };
    const { clientId: id } = this.#options.singleSignOn.provider;
    return { issuer, metadata: nowhere, client: { kind: 'manual', id }, tokens };
  }

  /** The same records as those of the person's hub, which may be at another replica. */
  #storeOf(owner: string): SignInStore {
    const { storage, env, folder, clock, ids } = this.#options;
    const limits = defaultLimits;
    const sources = { keyring: undefined, env, folder: join(folder, 'vault'), clock, ids, limits };
    const vault = new SealedVault({ store: storage.vault, owner, sources, tasks: this.#tasks });
    return signInsIn(vault, owner);
  }
}

const ATTEMPTS_MAX = 5;
