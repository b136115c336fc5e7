import type { HostTokens, KnownHost } from '../policy/host-tokens.ts';

/** Ends what a host has under way at the API when its token is revoked. */
export class Revocations {
  readonly #ends = new WeakMap<KnownHost, AbortController>();
  readonly #stop: (() => void) | undefined;

  constructor(tokens: HostTokens | undefined) {
    this.#stop = tokens?.onRevoke((host) => this.#ends.get(host)?.abort(new Error('the token was revoked')));
  }

  /** The request, with a signal that also ends with the token of its host. */
  bind(request: Request, host: KnownHost | undefined): Request {
    if (!host) return request;
    const end = this.#ends.get(host) ?? new AbortController();
    this.#ends.set(host, end);
    return new Request(request.url, {
      method: request.method,
      headers: request.headers,
      signal: AbortSignal.any([request.signal, end.signal]),
    });
  }

  close(): void {
    this.#stop?.();
  }
}
