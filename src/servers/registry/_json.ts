import { timeoutSignal, type Clock } from '../../base/clock.ts';
import { messageOf, PlugError, type ErrorCode } from '../../base/errors.ts';
import { findShapeProblem } from '../../base/json-shape.ts';
import { type Limits, limits } from '../../base/limits.ts';
import type { FetchPort, RegistryPage } from './registry.ts';
import { isObject } from '../../base/json.ts';
import type { ReadDocument } from './document.ts';
import type { RegistryEntry } from './entry.ts';

export interface RegistryOptions {
  readonly name: string;
  readonly url: string;
  readonly fetch: FetchPort;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Asks one registry for JSON. A short pause that it asks for is waited out; during a long one it isn't asked. */
export class JsonClient {
  readonly #options: RegistryOptions;
  #pausedUntil = 0;

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  async get(url: URL, signal: AbortSignal | undefined): Promise<unknown> {
    const { clock, limits } = this.#options;
    const timeout = timeoutSignal(limits.registryTimeoutMs);
    const both = signal ? AbortSignal.any([signal, timeout]) : timeout;
    const pauseMs = (): number => this.#pausedUntil - clock.monotonic();
    try {
      if (pauseMs() > limits.registryPauseMs) throw this.#busy();
      const first = await this.#ask(url, both);
      if (first !== BUSY) return first;
      if (pauseMs() > limits.registryPauseMs) throw this.#busy();
      await clock.sleep(Math.max(0, pauseMs()), both);
      const second = await this.#ask(url, both);
      if (second !== BUSY) return second;
      throw this.#busy();
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof PlugError) throw error;
      throw timeout.aborted
        ? this.#failure(
            'unreachable',
            `did not answer within ${limits.registryTimeoutMs / 1_000} s`,
            'network',
          )
        : this.#failure('unreachable', `cannot be reached: ${messageOf(error)}`, 'network', error);
    }
  }

  async #ask(url: URL, signal: AbortSignal): Promise<unknown> {
    const { fetch, headers, clock, limits } = this.#options;
    const answer = await fetch(url, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    });
    const text = await answer.text();
    if (answer.status === 429 || (answer.status === 503 && answer.headers.has('retry-after'))) {
      const pauseMs = retryAfterMs(answer.headers.get('retry-after'), clock) ?? limits.rateLimitBackoffBaseMs;
      this.#pausedUntil = clock.monotonic() + Math.min(pauseMs, limits.registryFreshMs);
      return BUSY;
    }
    if (answer.status !== 200) throw this.#refusal(answer, url);
    const { apiJsonDepthMax: depthMax, apiJsonItemsMax: itemsMax } = limits;
    if (findShapeProblem(text, { depthMax, itemsMax }) !== undefined)
      throw this.#failure('protocol_error', 'answered with more than can be read at once', 'registry');
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      const what = /^\s*</.test(text) ? 'a web page' : 'something';
      throw this.#failure('protocol_error', `answered with ${what} that is not JSON`, 'registry', cause);
    }
  }

  #busy(): PlugError {
    const { name: registry, clock } = this.#options;
    const seconds = Math.max(1, Math.ceil((this.#pausedUntil - clock.monotonic()) / 1_000));
    return new PlugError('rate_limited', `The registry “${registry}” asks for a pause of ${seconds} s.`, {
      owner: 'registry',
      remedy: `Wait ${seconds} s, then search again; or add --offline to search what is known.`,
      details: { registry, retryAfterMs: seconds * 1_000 },
    });
  }

  #refusal({ status, headers }: Response, url: URL): PlugError {
    if (status === 404) return this.#failure('not_found', 'does not list it', 'you');
    if (status === 401 || status === 403)
      return this.#failure('denied', `refused us (HTTP ${status}): it wants a key, or another one`, 'you');
    if (status < 300 || status >= 400)
      return this.#failure('unavailable', `answered with HTTP ${status}`, 'registry');
    // Not followed: the registry's key and the query would go along.
    const location = headers.get('location') ?? '';
    const to = URL.canParse(location, url.href) ? ` to ${new URL(location, url).host}` : '';
    return this.#failure(
      'unavailable',
      `redirects${to}, and nothing was sent there. If it moved, set its new URL in registries.json`,
      'registry',
    );
  }

  #failure(code: ErrorCode, what: string, owner: 'you' | 'registry' | 'network', cause?: unknown): PlugError {
    const { name: registry } = this.#options;
    const message = `The registry “${registry}” ${what}.`;
    return new PlugError(code, message, { owner, details: { registry }, cause });
  }
}

const BUSY = Symbol('busy');

/** Seconds or an HTTP date, RFC 9110 §10.2.3. */
function retryAfterMs(value: string | null, clock: Clock): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const at = /^[a-z]{3},? /i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}

type Read = (document: unknown, registry: string) => ReadDocument;

export function readPage(answer: unknown, registry: string, read: Read): RegistryPage {
  if (!isObject(answer) || !Array.isArray(answer['servers'])) {
    throw new PlugError('protocol_error', `The registry “${registry}” answered without a list of servers.`, {
      owner: 'registry',
      details: { registry },
    });
  }
  const entries: RegistryEntry[] = [];
  const problems: string[] = [];
  // Extra entries are ignored.
  for (const document of (answer['servers'] as unknown[]).slice(0, limits.registryPageEntriesMax)) {
    const found = read(document, registry);
    if (found.kind === 'ok') entries.push(found.entry);
    else if (problems.length < limits.registryProblemsMax)
      problems.push(`${registry} lists ${found.name}, which was left out: ${found.reason}.`);
  }
  return { entries, problems };
}

export function readOne(document: unknown, registry: string, server: string, read: Read): RegistryEntry {
  const found = read(document, registry);
  if (found.kind === 'ok') return found.entry;
  throw new PlugError('protocol_error', `The registry “${registry}” lists ${server}, but ${found.reason}.`, {
    owner: 'registry',
  });
}
