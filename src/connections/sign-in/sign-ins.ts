import { PlugError } from '../../base/errors.ts';
import type { Fetch } from '../http/capped-fetch.ts';
import type { HttpClient } from '../http/http-client.ts';
import { type Challenge, StepUps, withSignIn } from './authorized-fetch.ts';
import { authorize, type Authorized, type AuthorizeOptions } from './authorize.ts';
import { type Identity, identityTokens } from './identity.ts';
import { machineTokens, type MachineTokensOptions } from './machine-tokens.ts';
import { metadataClient, type MetadataClientOptions } from './metadata-fetch.ts';
import { refreshToken, type Renewal, type RenewalOptions } from './renewal.ts';
import type { SignIn, SignInStore } from './sign-in.ts';
import { TokenKeeper } from './token-keeper.ts';
import { accountChanged } from '../failures.ts';
import { checkSignInAddress } from './secure-address.ts';
import { editServer } from '../causes/edit-server.ts';
import { plainAddress } from '../causes/known-causes.ts';
import { KEY_HEADER, KEY_NEEDED } from '../causes/key-needed.ts';

export interface SignInsOptions
  extends MetadataClientOptions, Pick<AuthorizeOptions, 'preset' | 'metadataUrl' | 'callbacks'> {
  readonly store: SignInStore;
  readonly identity?: Identity | undefined;
}

export interface SignInTarget {
  /** The name that the person knows. */
  readonly server: string;
  /** Server and account in the store. */
  readonly key: string;
  readonly url: string;
  /** For a program that signs in by itself. */
  readonly machine?: Pick<MachineTokensOptions, 'settings' | 'secrets'> | undefined;
  /** It sends a key of the user's own, so that one that is refused is wrong, and not missing. */
  readonly hasKey?: boolean;
}

export type SignInWish = Pick<AuthorizeOptions, 'open' | 'pasted' | 'manual' | 'callbackPort' | 'signal'>;

/** All sign-ins of the hub, with one token keeper per account. */
export class SignIns {
  readonly #options: SignInsOptions;
  readonly #keepers = new Map<string, TokenKeeper>();
  readonly #challenges = new Map<string, Challenge>();
  readonly #clients: HttpClient[] = [];
  readonly #stepUps: StepUps;

  constructor(options: SignInsOptions) {
    this.#options = options;
    this.#stepUps = new StepUps(options.limits);
  }

  /** Requests carry the account's fresh token, as long as it is this person's. */
  wrap(target: SignInTarget, fetch: Fetch, identity: string | undefined): Fetch {
    const { server, key, machine } = target;
    const keeper = this.#keeper(target);
    return withSignIn({
      fetch,
      keeper,
      identity,
      otherPerson: () => accountChanged(server),
      onChallenge: (challenge) => void this.#challenges.set(key, challenge),
      // A program cannot be given more rights in a browser.
      moreRights: (challenge) =>
        machine ? keeper.refused() : this.#stepUps.errorFor(server, key, challenge),
      unknownPerson: (challenge) => this.#whoIsMissing(target, challenge, keeper.refused()),
    });
  }

  /** A server that says nowhere how people sign in wants a key. */
  async #whoIsMissing(
    { server, url, machine, hasKey = false }: SignInTarget,
    { resourceMetadataUrl }: Challenge,
    refused: PlugError,
  ): Promise<PlugError> {
    if (machine || hasKey || resourceMetadataUrl) return refused;
    const { clock, ids, limits, env, guard } = this.#options;
    const { findsSignIn } = await import('./finds-sign-in.ts');
    if (await findsSignIn({ clock, ids, limits, env, guard }, { url })) return refused;
    const { code, owner, details } = refused;
    return new PlugError(code, `${server} needs an API key.`, {
      owner,
      server,
      remedy: editServer({ server, address: plainAddress(url) }, `headers.${KEY_HEADER}`),
      details: { ...details, needs: KEY_NEEDED },
    });
  }

  /** Fresh; undefined without a sign-in. */
  token(target: SignInTarget): Promise<string | undefined> {
    return this.#keeper(target).token();
  }

  /** Also asks for more rights where the server wanted them. Durable when it resolves. */
  async signIn(target: SignInTarget, wish: SignInWish): Promise<Authorized> {
    const { store, clock, ids, limits, preset, metadataUrl, callbacks } = this.#options;
    const { server, url, key } = target;
    if (target.machine) throw noPerson(server);
    await using client = this.#clientFor(url);
    const before = await store.get(key);
    const challenge = this.#challenges.get(key);
    this.#stepUps.begin(server, key, challenge);
    const authorized = await authorize({
      server,
      url,
      challenge,
      before: before?.signIn,
      ...wish,
      preset,
      metadataUrl,
      callbacks,
      fetch: client.fetch,
      clock,
      ids,
      limits,
    }).catch((error: unknown) => Promise.reject(ofServer(error, server)));
    await this.#save(target, authorized.signIn);
    this.#challenges.delete(key);
    return authorized;
  }

  /** Forgets the tokens here first, then tells the authorization server where it can be told. */
  async signOut(target: SignInTarget): Promise<boolean> {
    const { store } = this.#options;
    const stored = await store.get(target.key);
    await store.delete(target.key);
    this.#keepers.get(target.key)?.forget();
    this.#stepUps.forget(target.key);
    this.#challenges.delete(target.key);
    if (!stored) return false;
    await using client = this.#clientFor(target.url);
    await revoke(stored.signIn, client.fetch);
    return true;
  }

  async close(): Promise<void> {
    const { clock, limits } = this.#options;
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const cancel = clock.after(limits.refreshCloseMs, resolve);
    await Promise.race([Promise.all([...this.#keepers.values()].map((keeper) => keeper.close())), late]);
    cancel();
    await Promise.all(this.#clients.map((client) => client.close()));
  }

  async status(target: SignInTarget): Promise<SignIn | undefined> {
    return (await this.#options.store.get(target.key))?.signIn;
  }

  /** A new sign-in replaces any other. */
  async #save(target: SignInTarget, signIn: SignIn): Promise<void> {
    const { store, limits } = this.#options;
    for (let attempt = 0; attempt < limits.vaultWriteAttemptsMax; attempt += 1) {
      const before = await store.get(target.key);
      if (!(await store.save(target.key, signIn, before?.version))) continue;
      this.#keepers.get(target.key)?.forget();
      return;
    }
    throw new PlugError('unavailable', `The sign-in at ${target.server} could not be saved.`, {
      owner: 'plugboard',
      server: target.server,
      remedy: { do: 'sign-in', server: target.server },
    });
  }

  #clientFor(serverUrl: string): HttpClient {
    const { clock, ids, limits, env, guard } = this.#options;
    return metadataClient({ serverUrl, clock, ids, limits, env, guard });
  }

  #keeper({ server, key, url, machine }: SignInTarget): TokenKeeper {
    const known = this.#keepers.get(key);
    if (known) return known;
    const { store, clock, ids, limits } = this.#options;
    const client = this.#clientFor(url);
    this.#clients.push(client);
    const options = { server, fetch: client.fetch, clock, limits };
    const renewal = machine
      ? machineTokens({ ...options, ...machine, url })
      : this.#ofPerson(options, { key, url });
    const keeper = new TokenKeeper({ server, key, store, renewal, clock, ids, limits });
    this.#keepers.set(key, keeper);
    return keeper;
  }

  #ofPerson(options: RenewalOptions, { key, url }: Pick<SignInTarget, 'key' | 'url'>): Renewal {
    const { identity, metadataUrl } = this.#options;
    if (!identity) return refreshToken(options);
    const challenge = (): Challenge | undefined => this.#challenges.get(key);
    return identityTokens({ ...options, identity, url, challenge, metadataUrl });
  }
}

/** Names the server in errors of the network, which do not know it. */
function ofServer(error: unknown, server: string): unknown {
  if (!(error instanceof PlugError) || error.server !== undefined) return error;
  const { code, message, owner, remedy = { do: 'sign-in', server }, details, cause } = error;
  return new PlugError(code, `Signing in to ${server} failed: ${message}`, {
    owner,
    server,
    remedy,
    ...(details ? { details } : {}),
    cause,
  });
}

function noPerson(server: string): PlugError {
  const message = `${server} signs in without a person, as config.oauth says.`;
  return new PlugError('usage', message, { owner: 'you', server, remedy: { do: 'restart', server } });
}

/** RFC 7009, where the authorization server supports it. */
async function revoke({ metadata, client, tokens }: SignIn, fetch: Fetch): Promise<void> {
  const endpoint = metadata.revocation_endpoint;
  const token = tokens?.refresh ?? tokens?.access;
  if (endpoint === undefined || token === undefined) return;
  const body = new URLSearchParams({
    token,
    token_type_hint: tokens?.refresh ? 'refresh_token' : 'access_token',
    client_id: client.id,
    ...(client.secret ? { client_secret: client.secret } : {}),
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  try {
    const url = checkSignInAddress(endpoint, 'a revocation endpoint', metadata.issuer);
    const response = await fetch(url, { method: 'POST', headers, body: body.toString() });
    await response.body?.cancel();
  } catch {
    // The person is signed out here already; the token expires by itself.
  }
}
