import { createHash } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { PlugError, type ErrorCode } from '../base/errors.ts';
import type { Ids } from '../base/ids.ts';
import { canonicalJson } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { Secret } from '../base/secret.ts';
import type { Fetch } from '../connections/http/capped-fetch.ts';
import { checkServerUrl } from '../connections/http/url.ts';
import type { SignIn } from '../connections/sign-in/sign-in.ts';
import type { SignIns, SignInTarget } from '../connections/sign-in/sign-ins.ts';
import type { Endpoint, ServerDefinition } from '../servers/definition.ts';
import type { Accounts } from '../vault/accounts.ts';
import { isLockedVault } from '../vault/locked.ts';
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
  /** Fills in what a definition leaves to placeholders. */
  readonly resolve: (definition: ServerDefinition) => Promise<Endpoint>;
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

  /** The default account's token goes along, unless another account is named. */
  async fetchFor(definition: ServerDefinition, url: string, fetch: Fetch, account?: string): Promise<Fetch> {
    return (await this.signIns()).wrap(await this.#target(definition, url, account), fetch);
  }

  /** Where an account signs in, with the address as it is once its placeholders are filled in. */
  async target(definition: ServerDefinition, account?: string): Promise<SignInTarget> {
    const endpoint = await this.#options.resolve(definition);
    if (endpoint.kind === 'stdio') throw nothingToSignInTo(definition.id);
    return this.#target(definition, endpoint.url, account);
  }

  /** The credentials for a server and an account, ready to use: looked up, unsealed, renewed. */
  async credentials(definition: ServerDefinition, account?: string): Promise<Credentials> {
    const endpoint = await this.#options.resolve(definition);
    if (endpoint.kind === 'stdio') {
      return { headers: {}, env: sealed(endpoint.env), args: endpoint.args.map((arg) => new Secret(arg)) };
    }
    const { url, headers } = endpoint;
    const own = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
    const token = own
      ? undefined
      : await (await this.signIns()).token(await this.#target(definition, url, account));
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
    const { accounts, owner, resolve } = this.#options;
    const { machineSettingsOf, referencesOf } = await import('../connections/sign-in/machine-settings.ts');
    const settings = machineSettingsOf(server, config);
    const account = named ?? (await accounts.find(owner, server))?.account ?? DEFAULT_ACCOUNT;
    const place = canonicalJson([checkServerUrl(url).key, settings ? (config['oauth'] ?? null) : null]);
    const hash = createHash('sha256').update(place).digest('hex').slice(0, 16);
    const key = secretName({ server, account, field: `sign-in:${hash}` });
    if (!settings) return { server, url, key };
    const secrets = async (): Promise<Readonly<Record<string, string>>> => {
      const env = { ...referencesOf(settings) };
      const filled = await resolve({ ...definition, endpoint: { ...NO_PROCESS, env } });
      return filled.kind === 'stdio' ? filled.env : {};
    };
    return { server, url, key, machine: { settings, secrets } };
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

/** References are looked up where those of local servers are: values may span lines there. */
const NO_PROCESS = { kind: 'stdio', command: 'none', args: [] } as const;

const NOWHERE: ReadonlySet<ErrorCode> = new Set(['missing_input', 'bad_config', 'usage']);

function sealed(values: Readonly<Record<string, string>>): Readonly<Record<string, Secret>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, new Secret(value)]));
}

function nothingToSignInTo(server: string): PlugError {
  return new PlugError('usage', `${server} runs on this machine: there is nothing to sign in to.`, {
    owner: 'you',
    server,
    next: `plug secrets set ${server}/NAME`,
  });
}
