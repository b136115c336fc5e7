import { CLIENT_HEADER, FOLDER_HEADER, type Send } from '../api/send.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import type { Paths } from '../base/paths.ts';
import { hubFiles } from './address.ts';
import { exchangeOnSocket } from './socket-exchange.ts';

/** Sends over the hub's unix socket. */
export function connectSocket(paths: Paths): Send {
  const { socket } = hubFiles(paths);
  return async ({ method, path, body, accept = 'application/json', folder, client, signal }) => {
    const headers = {
      accept,
      ...(folder === undefined ? {} : { [FOLDER_HEADER]: encodeURIComponent(folder) }),
      ...(client === undefined ? {} : { [CLIENT_HEADER]: client }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    try {
      const response = await exchangeOnSocket(socket, { method, path, headers, body, signal });
      return {
        status: response.status,
        headers: (name) => response.headers.get(name.toLowerCase()),
        body: untilGone(response.body),
      };
    } catch (error) {
      throw unavailable(error, socket);
    }
  };
}

async function* untilGone(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw gone(cause);
  }
}

function unavailable(cause: unknown, socket: string): PlugError {
  if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ECONNREFUSED')) {
    return new PlugError('hub_unavailable', 'No hub is running.', {
      owner: 'you',
      next: 'plug hub start',
      cause,
    });
  }
  if (hasCode(cause, 'EACCES')) {
    return new PlugError('denied', `The hub at ${socket} belongs to another user.`, { owner: 'you', cause });
  }
  return gone(cause);
}

function gone(cause: unknown): PlugError {
  return new PlugError('hub_unavailable', 'The hub went away before it answered.', {
    owner: 'plugboard',
    next: 'plug hub start',
    cause,
  });
}
