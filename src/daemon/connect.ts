import { headersOf, type Send } from '../api/send.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import { checkOwnFolders, checkOwnPlace } from '../base/own-places.ts';
import type { Paths } from '../base/paths.ts';
import { hubFiles } from './address.ts';
import { exchangeOnSocket } from './socket-exchange.ts';
import { otherUsersHub } from './other-users-hub.ts';

/** Sends over the hub's unix socket. One in another user's folder is refused: it would be told everything. */
export function connectSocket(paths: Paths): Send {
  const { socket, socketFolder } = hubFiles(paths);
  checkOwnFolders(paths);
  checkOwnPlace(socketFolder);
  return async (request) => {
    try {
      const response = await exchangeOnSocket(socket, { ...request, headers: headersOf(request) });
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

const START = { do: 'start-hub' } as const;

function unavailable(cause: unknown, socket: string): PlugError {
  if (hasCode(cause, 'ENOENT') || hasCode(cause, 'ECONNREFUSED')) {
    return new PlugError('hub_unavailable', 'No hub is running.', { owner: 'you', remedy: START, cause });
  }
  if (hasCode(cause, 'EACCES')) {
    return otherUsersHub(cause, socket);
  }
  return gone(cause);
}

function gone(cause: unknown): PlugError {
  const message = 'The hub stopped before it answered.';
  return new PlugError('hub_unavailable', message, { owner: 'plugboard', remedy: START, cause });
}
