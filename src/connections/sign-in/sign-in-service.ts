import { createHash } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { PlugError, type ErrorCode } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Limits } from '../../base/limits.ts';
import { Secret } from '../../base/secret.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import { checkServerUrl } from '../http/url.ts';
import { takesAccount } from '../own-key.ts';
import { type SignIn, signInsIn } from './sign-in.ts';
import type { SignIns, SignInTarget } from './sign-ins.ts';
import type { Endpoint, ServerDefinition } from '../../servers/definition.ts';
import { accountId } from '../../vault/account-id.ts';
import type { Accounts } from '../../vault/accounts.ts';
import { isLockedVault } from '../../vault/locked.ts';
import { secretName } from '../../vault/names.ts';
import type { SealedVault } from '../../vault/sealed-vault.ts';

export const DEFAULT_ACCOUNT = 'default';

export interface SignInServiceOptions {
  readonly owner: string;
  readonly vault: SealedVault;
  readonly accounts: Accounts;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly limits: Limits;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly resolver: PlaceholderResolver;
}

/** Fills in what a definition leaves to placeholders. */
export interface PlaceholderResolver {
  endpoint(definition: ServerDefinition): Promise<Endpoint>;
  /** The same for texts that go to the authorization server. */
  sent(
    definition: ServerDefinition,
    texts: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, string>>>;
}

/** What one account brings along to a server, whatever its kind; nothing of it prints. */
export interface Credentials {
  /** For a remote server: every header, the token's included. */
  readonly headers: Readonly<Record<string, Secret>>;
  /** For a local one: the variables that it is given, and its arguments. */
  readonly env: Readonly<Record<string, Secret>>;
  readonly args: readonly Secret[];
}

/** Signing in for the hub. Its code is large: it is loaded with the first remote server. */
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

  /** The default account's token goes along, unless another account is named; and no other person's. */
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
    return { fetch: signIns.wrap(target, fetch, signIn?.identity), ...account };
  }

  /** Where an account signs in, with the address as it is once its placeholders are filled in. */
  async target(definition: ServerDefinition, account?: string): Promise<SignInTarget> {
    return this.#target(definition, await this.#addressOf(definition), account);
  }

  /** The credentials for a server and an account, ready to use: looked up, unsealed, renewed. */
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

  /** Forgets an account's tokens and revokes them. */
  async signOut(definition: ServerDefinition, account: string): Promise<void> {
    const target = await this.#reachable(definition, account);
    if (target) await (await this.signIns()).signOut(target);
  }

  async close(): Promise<void> {
    if (this.#loaded) await (await this.#loaded).close();
  }

  /** Every call asks for it: headers are left alone, as their placeholders may stand for commands. */
  async #addressOf(definition: ServerDefinition): Promise<string> {
    const { endpoint, follow } = definition;
    if (endpoint.kind === 'stdio') throw nothingToSignInTo(definition.id);
    if (follow === undefined && !endpoint.url.includes('${')) return endpoint.url;
    const bare = { ...definition, endpoint: { ...endpoint, headers: {} } };
    const resolved = await this.#options.resolver.endpoint(bare);
    if (resolved.kind === 'stdio') throw nothingToSignInTo(definition.id);
    return resolved.url;
  }

  /** Undefined where nobody can be signed in: a local server, or an address that lacks an input. */
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

  /**
   * The record is named after the address, too: another server that takes over the name, in another
   * folder or later, finds nothing that was not meant for it.
   */
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
    const secrets = (): Promise<Readonly<Record<string, string>>> =>
      resolver.sent(definition, referencesOf(settings));
    return { server, url, key, machine: { settings, secrets } };
  }

  async #load(): Promise<SignIns> {
    const { SignIns } = await import('./sign-ins.ts');
    const { vault, owner, clock, ids, limits, env } = this.#options;
    // Whoever publishes a client metadata document for this installation names it here.
    const metadataUrl = env['PLUG_CLIENT_METADATA_URL'];
    return new SignIns({ store: signInsIn(vault, owner), metadataUrl, clock, ids, limits, env });
  }
}

const NOWHERE: ReadonlySet<ErrorCode> = new Set(['missing_input', 'bad_config', 'usage']);

function sealed(values: Readonly<Record<string, string>>): Readonly<Record<string, Secret>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Secret(value)]));
}

function nothingToSignInTo(server: string): PlugError {
  return new PlugError('usage', `${server} runs on this machine: there is nothing to sign in to.`, {
    owner: 'you',
    server,
    remedy: { do: 'set-secret', name: `${server}/NAME` },
  });
}
