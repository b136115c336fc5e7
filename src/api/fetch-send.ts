import { PlugError } from '../base/errors.ts';
import { CLIENT_HEADER, FOLDER_HEADER, type Send } from './send.ts';

export interface FetchSendOptions {
  readonly url: string;
  readonly token?: string;
  /** What a page sends beside its cookie. */
  readonly headers?: () => Readonly<Record<string, string>>;
}

/** Sends with `fetch`: for pages, and for programs that only have the hub's address and token. */
export function fetchSend(options: FetchSendOptions): Send {
  return async ({ method, path, body, accept = 'application/json', folder, client, signal }) => {
    const response = await fetch(new URL(path, options.url), {
      method,
      headers: {
        accept,
        ...options.headers?.(),
        ...(folder === undefined ? {} : { [FOLDER_HEADER]: encodeURIComponent(folder) }),
        ...(client === undefined ? {} : { [CLIENT_HEADER]: client }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      },
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new PlugError('hub_unavailable', 'No hub answers at this address.', {
        owner: 'you',
        next: 'plug hub start',
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
