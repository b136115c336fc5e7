import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import { placeOf } from '../../connections/http/network-error.ts';
import type { ModelProvider } from '../../vault/models.ts';
import { boundedStream } from './bounded-stream.ts';
import { localServerAt } from './providers.ts';

export interface ModelFetchOptions {
  /** Ours for the model, for messages. */
  readonly name: string;
  readonly provider: ModelProvider;
  readonly address: URL;
  readonly key: Secret | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/**
 * A fetch that reaches one model and nothing else. The key is put on here, last, so that whoever
 * talks to the model never holds it; what they wrote in its place is replaced.
 */
export function modelFetch(options: ModelFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const { url, ...request } = await requestOf(input, init);
    if (url.origin !== options.address.origin) throw elsewhere(url, options);
    const headers = new Headers(request.headers);
    putKey(headers, options);
    try {
      const response = await options.fetch(url, { ...request, headers });
      if (isRedirect(response)) throw redirected(response, url, options);
      return boundedStream(response, { place: placeOf(url), clock: options.clock });
    } catch (error) {
      throw explained(error, options);
    }
  };
}

/** A Request is taken apart: the bounded fetch takes an address and what to send there. */
async function requestOf(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit = {},
): Promise<RequestInit & { readonly url: URL }> {
  if (!(input instanceof Request)) return { ...init, url: new URL(input) };
  const { method, headers, signal } = input;
  const body = input.body === null ? {} : { body: await input.bytes() };
  return { method, headers, signal, ...body, ...init, url: new URL(input.url) };
}

/** Every header in which a provider looks for a key; one of them is ours to fill. */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'] as const;

function putKey(headers: Headers, { provider, key }: ModelFetchOptions): void {
  for (const header of KEY_HEADERS) headers.delete(header);
  if (key === undefined) return;
  if (provider === 'anthropic') headers.set('x-api-key', key.reveal());
  else if (provider === 'google') headers.set('x-goog-api-key', key.reveal());
  else headers.set('authorization', `Bearer ${key.reveal()}`);
}

function isRedirect({ status }: Response): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function elsewhere(url: URL, { name, address }: ModelFetchOptions): PlugError {
  return new PlugError(
    'denied',
    `The model “${name}” is at ${placeOf(address)}; nothing was sent to ${placeOf(url)}.`,
    { owner: 'plugboard', details: { host: placeOf(url) } },
  );
}

/** Nothing is followed: the key, and what was said, would go to whomever the answer names. */
function redirected(response: Response, url: URL, { name }: ModelFetchOptions): PlugError {
  const target = response.headers.get('location') ?? '';
  const to = URL.canParse(target, url.href) ? ` to ${placeOf(new URL(target, url))}` : '';
  return new PlugError(
    'bad_config',
    `The model “${name}” is not at ${placeOf(url)}: it sends us on${to}, and nothing was sent there.`,
    {
      owner: 'you',
      next: `If that is right, give its new address: plug model add ${name} … --url`,
      details: { host: placeOf(url), status: response.status },
    },
  );
}

/**
 * The causes of the network, in the words of somebody who set up a model. What caused them is left
 * out: whoever speaks to models looks there for codes, and would put its own sentence over ours.
 */
function explained(error: unknown, { name, address }: ModelFetchOptions): unknown {
  if (!(error instanceof PlugError)) return error;
  const { code, owner, next = `plug model test ${name}`, details = {} } = error;
  if (details['cause'] !== 'ECONNREFUSED') {
    return new PlugError(code, error.message, { owner, next, details });
  }
  const place = placeOf(address);
  const local = localServerAt(address);
  return new PlugError(code, `Nothing listens at ${place}, where the model “${name}” should be.`, {
    owner: local ? 'you' : owner,
    next: local
      ? `Is ${local.title} running? ${local.start}`
      : `Start what serves it at ${place}, or give its address anew: plug model add ${name} … --url`,
    details,
  });
}
