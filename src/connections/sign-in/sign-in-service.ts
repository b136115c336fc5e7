import { createHash } from 'node:crypto';
import { PlugError, type ErrorCode } from '../../base/errors.ts';
import { canonicalJson } from '../../base/json.ts';
import { Secret } from '../../base/secret.ts';
import { causeContext } from '../causes/known-causes.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { checkServerUrl } from '../http/url.ts';
import type { Runtime } from '../limits.ts';
import { takesAccount } from '../own-key.ts';
import type { Callbacks } from './callbacks.ts';
import type { Identity } from './identity.ts';
import { type SignIn, signInsIn } from './sign-in.ts';
import type { SignIns, SignInTarget } from './sign-ins.ts';
import type { Endpoint, ServerDefinition } from '../../servers/definition.ts';
import { accountId } from '../../vault/account-id.ts';
import type { Accounts } from '../../vault/accounts.ts';
import { isLockedVault } from '../../vault/locked.ts';
import type { AddressGuard } from '../http/address-guard.ts';
import { secretName } from '../../vault/names.ts';
import type { SealedVault } from '../../vault/sealed-vault.ts';

export const DEFAULT_ACCOUNT = 'default';

export interface SignInServiceOptions extends Runtime {
  readonly owner: string;
  readonly vault: SealedVault;
  readonly accounts: Accounts;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guard?: AddressGuard | undefined;
  readonly callbacks?: Callbacks | undefined;
  readonly identity?: Identity | undefined;
  readonly resolver: PlaceholderResolver;
}

type Texts = Readonly<Record<string, string>>;

/** Fills in placeholders. */
export interface PlaceholderResolver {
  endpoint(definition: ServerDefinition): Promise<Endpoint>;
  /** For texts that go to the authorization server. */
  sent(definition: ServerDefinition, texts: Texts): Promise<Texts>;
}

/** Of one account for a server of any kind; nothing of it prints. */
export interface Credentials {
  /** For a remote server: every header, the token's included. */
  readonly headers: Readonly<Record<string, Secret>>;
  /** For a local server. */
  readonly env: Readonly<Record<string, Secret>>;
  readonly args: readonly Secret[];
}

/** The code for signing in is large: it is loaded with the first remote server. */
export class SignInService {
  readonly #options: SignInServiceOptions;
  #loaded: Promise<SignIns> | undefined;

  constructor(options: SignInServiceOptions) {
    this.#options = options;
  }

  signIns(): Promise<SignIns> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Sends the token of the named or default account, and no other person's. */
  async fetchFor(
    definition: ServerDefinition,
    url: string,
    fetch: Fetch,
    named?: string,
  ): Promise<{ readonly fetch: Fetch; readonly account?: string }> {
    const { accounts, owner } = this.#options;
    const found = await accounts.find(owner, definition.id, named);
    const target = await this.#target(definition, url, named ?? found?.account ?? DEFAULT_ACCOUNT);
    const signIns = await this.signIns();
    const signIn = await signIns.status(target);
    const account = found && signIn ? { account: accountId(found.account, signIn.identity) } : {};
    const { keyHeader, secret } = causeContext(definition);
    const hasKey = keyHeader !== undefined || secret !== undefined;
    return { fetch: signIns.wrap({ ...target, hasKey }, fetch, signIn?.identity), ...account };
  }

  /** With the placeholders of the address filled in. */
  async target(definition: ServerDefinition, account?: string): Promise<SignInTarget> {
    return this.#target(definition, await this.#addressOf(definition), account);
  }

  /** Ready to use: looked up, unsealed, renewed. */
  async credentials(definition: ServerDefinition, account?: string): Promise<Credentials> {
    const endpoint = await this.#options.resolver.endpoint(definition);
    if (endpoint.kind === 'stdio') {
      return { headers: {}, env: sealed(endpoint.env), args: endpoint.args.map((arg) => new Secret(arg)) };
    }
    const { url, headers } = endpoint;
    const token = takesAccount(endpoint)
      ? await (await this.signIns()).token(await this.#target(definition, url, account))
      : undefined;
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return { headers: sealed({ ...headers, ...bearer }), env: {}, args: [] };
  }

  async status(definition: ServerDefinition, account: string): Promise<SignIn | undefined> {
    const target = await this.#reachable(definition, account);
    return target && (await this.signIns()).status(target);
  }

  async signOut(definition: ServerDefinition, account: string): Promise<void> {
    const target = await this.#reachable(definition, account);
    if (target) await (await this.signIns()).signOut(target);
  }

  async close(): Promise<void> {
    if (this.#loaded) await (await this.#loaded).close();
  }

  /** Needed for every call, so headers are left out: their placeholders may run commands. */
  async #addressOf(definition: ServerDefinition): Promise<string> {
    const { endpoint, follow } = definition;
    if (endpoint.kind === 'stdio') throw nothingToSignInTo(definition.id);
    if (follow === undefined && !endpoint.url.includes('${')) return endpoint.url;
    const bare = { ...definition, endpoint: { ...endpoint, headers: {} } };
    const resolved = await this.#options.resolver.endpoint(bare);
    if (resolved.kind === 'stdio') throw nothingToSignInTo(definition.id);
    return resolved.url;
  }

  /** Undefined where there is no sign-in: a local server, or an address that lacks an input. */
  async #reachable(definition: ServerDefinition, account: string): Promise<SignInTarget | undefined> {
    try {
      return await this.target(definition, account);
    } catch (error) {
      // A locked vault says nothing about the address.
      const nowhere = error instanceof PlugError && NOWHERE.has(error.code) && !isLockedVault(error);
      if (nowhere) return undefined;
      throw error;
    }
  }

  /** The key includes the address: another server under the same name finds no tokens that are not its own. */
  async #target(definition: ServerDefinition, url: string, named?: string): Promise<SignInTarget> {
    const { id: server, config } = definition;
    const { accounts, owner, resolver } = this.#options;
    const { machineSettingsOf, referencesOf } = await import('./machine-settings.ts');
    const settings = machineSettingsOf(server, config);
    const account = named ?? (await accounts.find(owner, server))?.account ?? DEFAULT_ACCOUNT;
    const place = canonicalJson([checkServerUrl(url).key, settings ? (config['oauth'] ?? null) : null]);
    const hash = createHash('sha256').update(place).digest('hex').slice(0, 16);
    const key = secretName({ server, account, field: `sign-in:${hash}` });
    if (!settings) return { server, url, key };
    const secrets = (): Promise<Texts> => resolver.sent(definition, referencesOf(settings));
    return { server, url, key, machine: { settings, secrets } };
  }

  async #load(): Promise<SignIns> {
    const { SignIns } = await import('./sign-ins.ts');
    const { vault, owner, clock, ids, limits, env, guard, callbacks, identity } = this.#options;
    // A client metadata document may be published for this installation.
    const metadataUrl = env['PLUG_CLIENT_METADATA_URL'];
    const store = signInsIn(vault, owner);
    return new SignIns({ store, metadataUrl, clock, ids, limits, env, guard, callbacks, identity });
  }
}

const NOWHERE: ReadonlySet<ErrorCode> = new Set(['missing_input', 'bad_config', 'usage']);

function sealed(values: Texts): Readonly<Record<string, Secret>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Secret(value)]));
}

function nothingToSignInTo(server: string): PlugError {
  return new PlugError('usage', `${server} runs on this machine: there is nothing to sign in to.`, {
    owner: 'you',
    server,
    remedy: { do: 'set-secret', name: `${server}/NAME` },
  });
}
