import { PlugError } from '../base/errors.ts';
import { headersOf, type Send } from './send.ts';

export interface FetchSendOptions {
  readonly url: string;
  readonly token?: string;
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** Sends with `fetch`: for pages, and for programs with the hub's address and token. */
export function fetchSend(options: FetchSendOptions): Send {
  return async (request) => {
    const { method, path, body, signal } = request;
    const response = await fetch(new URL(path, options.url), {
      method,
      // A hub never redirects; anything else would receive the page's key and the body.
      redirect: 'error',
      headers: {
        ...headersOf(request),
        ...options.headers?.(),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new PlugError('hub_unavailable', 'No hub answers at this address.', {
        owner: 'you',
        remedy: { do: 'start-hub' },
        cause,
      });
    });
    return {
      status: response.status,
      headers: (name) => response.headers.get(name) ?? undefined,
      body: response.body ?? nothing(),
    };
  };
}

async function* nothing(): AsyncIterable<Uint8Array> {}
