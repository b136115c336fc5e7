import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import type { Secret } from '../../base/secret.ts';
import type { Fetch } from '../../connections/http/capped-fetch.ts';
import { placeOf } from '../../connections/http/network-error.ts';
import { isRedirect, redirectTarget } from '../../connections/http/redirects.ts';
import type { ModelProvider } from '../../vault/models.ts';
import { boundedStream } from './bounded-stream.ts';
import { localServerAt, modelLimits } from './providers.ts';
import { once } from 'node:events';
import type { Core } from '../core.ts';
import { privateOnly } from './address.ts';

export interface ModelFetchOptions {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly address: URL;
  readonly key: Secret | undefined;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Reaches one model and nothing else. The key is added last, so that the caller never holds it. */
export function modelFetch(options: ModelFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const { url, ...request } = await requestOf(input, init);
    if (url.origin !== options.address.origin) throw elsewhere(url, options);
    const headers = new Headers(request.headers);
    putKey(headers, options);
    try {
      const response = await options.fetch(url, { ...request, headers });
      if (isRedirect(response.status)) throw redirected(response, url, options);
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

function elsewhere(url: URL, { name, address }: ModelFetchOptions): PlugError {
  const host = placeOf(url);
  const why = `The model “${name}” is at ${placeOf(address)}; nothing was sent to ${host}.`;
  return new PlugError('denied', why, { owner: 'plugboard', details: { host } });
}

/** Not followed: the key and the conversation would go wherever the answer points. */
function redirected(response: Response, url: URL, { name }: ModelFetchOptions): PlugError {
  const target = redirectTarget(url, response.headers.get('location'));
  const to = target ? ` to ${placeOf(target)}` : '';
  const why = `The model “${name}” is not at ${placeOf(url)}: it sends us on${to}, and nothing was sent there.`;
  return new PlugError('bad_config', `${why} If that is right, add it again with its new address.`, {
    owner: 'you',
    remedy: { do: 'add-model', name },
    details: { host: placeOf(url), status: response.status },
  });
}

/** Causes are left out: the AI SDK looks there for codes, and would replace our sentence with its own. */
function explained(error: unknown, { name, address }: ModelFetchOptions): unknown {
  if (!(error instanceof PlugError)) return error;
  const { code, owner, remedy = { do: 'test-model', name }, details = {} } = error;
  if (details['cause'] !== 'ECONNREFUSED') {
    return new PlugError(code, error.message, { owner, remedy, details });
  }
  const place = placeOf(address);
  const local = localServerAt(address);
  return new PlugError(code, `Nothing listens at ${place}, where the model “${name}” should be.`, {
    owner: local ? 'you' : owner,
    remedy: local ? `Is ${local.title} running? ${local.start}` : { do: 'add-model', name },
    details,
  });
}

type Needed = Pick<Core, 'clock' | 'ids' | 'tasks' | 'options' | 'limits'>;

/** The sockets to models: opened by the first use, shared by all faces, and closed with the hub. */
export async function fetchFor(core: Needed, address: URL): Promise<Fetch> {
  if (core.tasks.signal.aborted) {
    throw new PlugError('unavailable', 'The hub is closing.', { owner: 'plugboard' });
  }
  const known = ways.get(core.tasks) ?? open(core);
  ways.set(core.tasks, known);
  const { plain, secure } = await known;
  return address.protocol === 'http:' ? plain : secure;
}

interface Ways {
  /** Never through a proxy, and never to the public internet. */
  readonly plain: Fetch;
  readonly secure: Fetch;
}

const ways = new WeakMap<Needed['tasks'], Promise<Ways>>();

async function open({ clock, ids, tasks, options, limits: given }: Needed): Promise<Ways> {
  const [{ createHttpClient }, { createFetch }] = await Promise.all([
    import('../../connections/http/http-client.ts'),
    import('../../connections/http/capped-fetch.ts'),
  ]);
  const limits = {
    ...given,
    httpHeadersMs: modelLimits.firstByteMs,
    httpBodyIdleMs: modelLimits.idleMs,
    httpAnswerBytesMax: modelLimits.answerBytesMax,
    sseEventBytesMax: modelLimits.eventBytesMax,
  };
  const plain = createHttpClient({ clock, ids, limits, guard: privateOnly });
  const secure = createHttpClient({ clock, ids, limits, env: options.env });
  tasks.run('keep the sockets to models', async (signal) => {
    if (!signal.aborted) await once(signal, 'abort');
    await Promise.all([plain.close(), secure.close()]);
  });
  // No retries here: the agent waits for a busy provider, and says so.
  return {
    plain: createFetch({ dispatcher: plain.dispatcher, clock, limits, guard: privateOnly }),
    secure: createFetch({ dispatcher: secure.dispatcher, clock, limits }),
  };
}
