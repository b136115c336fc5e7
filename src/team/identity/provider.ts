import { timeoutSignal, type Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import { type AssertionTarget, claimsIn } from '../../connections/sign-in/identity.ts';
import type { Tokens } from '../../connections/sign-in/sign-in.ts';
import type { SingleSignOn } from '../single-sign-on.ts';

interface ProviderOptions {
  readonly singleSignOn: SingleSignOn;
  /** For addresses that the operator has named. */
  readonly fetch: Fetch;
  readonly clock: Clock;
}

interface Metadata {
  readonly token_endpoint: string;
  /** How clients may name themselves. */
  readonly methods: readonly string[] | undefined;
}

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ID_TOKEN = 'urn:ietf:params:oauth:token-type:id_token';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const REQUEST_MS = 10_000;
const ASSERTION_CHARS_MAX = 16 * 1_024;

/** The token endpoint of the company's identity provider, asked in the name of a person. */
export class ProviderClient {
  readonly #options: ProviderOptions;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  get issuer(): string {
    return this.#options.singleSignOn.issuer;
  }

  /** An ID token stands where an access token would: it is what is exchanged. */
  async refreshed(refresh: string): Promise<Tokens> {
    const answer = await this.#ask({ grant_type: 'refresh_token', refresh_token: refresh });
    const { id_token: idToken, refresh_token: next } = answer ?? {};
    if (typeof idToken !== 'string') throw signInAgain();
    return tokensOf(idToken, typeof next === 'string' ? next : refresh);
  }

  /** RFC 8693; undefined where the provider does not vouch for this person there. */
  async exchanged(
    idToken: string,
    { issuer, resource, scope }: AssertionTarget,
  ): Promise<string | undefined> {
    const answer = await this.#ask({
      grant_type: TOKEN_EXCHANGE,
      requested_token_type: ID_JAG,
      audience: issuer,
      resource,
      subject_token: idToken,
      subject_token_type: ID_TOKEN,
      ...(scope === undefined ? {} : { scope }),
    });
    const { access_token: assertion, issued_token_type: type } = answer ?? {};
    // Any other token would open something by itself: it is not for a server.
    if (type !== ID_JAG || typeof assertion !== 'string' || assertion.length > ASSERTION_CHARS_MAX)
      return undefined;
    return claimsIn(assertion)['aud'] === issuer ? assertion : undefined;
  }

  /** Undefined where it refuses. */
  async #ask(
    asked: Readonly<Record<string, string>>,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const metadata = await this.#metadata();
    const { headers, fields } = this.#credentials(metadata);
    const response = await this.#options.fetch(metadata.token_endpoint, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ ...asked, ...fields }).toString(),
      redirect: 'error',
      signal: timeoutSignal(REQUEST_MS),
    });
    if (response.ok) {
      const answer: unknown = await response.json();
      return isObject(answer) ? answer : undefined;
    }
    await response.body?.cancel();
    if (response.status >= 500) throw away();
    return undefined;
  }

  #credentials({ methods }: Metadata): {
    readonly headers: Readonly<Record<string, string>>;
    readonly fields: Readonly<Record<string, string>>;
  } {
    const { clientId, clientSecret = '' } = this.#options.singleSignOn.provider;
    const isBasic = methods === undefined || methods.includes('client_secret_basic');
    if (!isBasic) return { headers: {}, fields: { client_id: clientId, client_secret: clientSecret } };
    const both = [clientId, clientSecret].map(encodeURIComponent).join(':');
    return { headers: { authorization: `Basic ${Buffer.from(both).toString('base64')}` }, fields: {} };
  }

  async #metadata(): Promise<Metadata> {
    const { singleSignOn, fetch } = this.#options;
    const address = singleSignOn.provider.discoveryUrl ?? '';
    const response = await fetch(address, { signal: timeoutSignal(REQUEST_MS) });
    const found: unknown = await response.json();
    const {
      issuer,
      token_endpoint: endpoint,
      token_endpoint_auth_methods_supported: methods,
    } = isObject(found) ? found : {};
    // Neither another issuer nor a place without TLS gets our secret.
    const place = issuer === singleSignOn.issuer && typeof endpoint === 'string' ? URL.parse(endpoint) : null;
    const isSafe = place?.protocol === 'https:' || place?.origin === new URL(singleSignOn.issuer).origin;
    if (!place || !isSafe) throw away();
    const names = Array.isArray(methods) ? methods.filter((one) => typeof one === 'string') : undefined;
    return { token_endpoint: place.href, methods: names };
  }
}

/** Renewed a little before it ends. */
export function tokensOf(idToken: string, refresh: string | undefined): Tokens {
  const { exp } = claimsIn(idToken);
  const expiresAt = typeof exp === 'number' && Number.isFinite(exp) ? exp * 1_000 : 0;
  return {
    access: idToken,
    expiresAt,
    renewAt: expiresAt - SKEW_MS,
    ...(refresh === undefined ? {} : { refresh }),
  };
}

const SKEW_MS = 30_000;

export function signInAgain(): PlugError {
  const remedy = 'Sign out of the team, and sign in again.';
  return new PlugError('sign_in_needed', 'The identity provider wants you to sign in again.', {
    owner: 'you',
    remedy,
  });
}

function away(): PlugError {
  const message = 'The identity provider of the team can’t be used just now.';
  return new PlugError('unavailable', message, { owner: 'network', remedy: { do: 'retry' } });
}
