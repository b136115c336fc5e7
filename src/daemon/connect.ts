import type { Agent, IncomingMessage } from 'node:http';
import { CLIENT_HEADER, FOLDER_HEADER, type Send, type SendRequest } from '../api/send.ts';
import { PlugError } from '../base/errors.ts';
import type { Paths } from '../base/paths.ts';
import { hubFiles } from './address.ts';
import { hasCode } from '../base/private-files.ts';

// Asked for by name instead of imported: an import would load every lazy part of the module, the
// whole of fetch among them, and that alone doubles the time of a small command.
const http = process.getBuiltinModule('node:http');

/** Sends over the hub's unix socket. Connections are kept for the next request, not for ever. */
export function connectSocket(paths: Paths): Send {
  const { socket } = hubFiles(paths);
  const agent = new http.Agent({ keepAlive: true });
  return async (request) => {
    const response = await exchange(socket, agent, request);
    return {
      status: response.statusCode ?? 0,
      headers: (name) => {
        const value = response.headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : value;
      },
      body: bodyOf(response),
    };
  };
}

function exchange(socketPath: string, agent: Agent, request: SendRequest): Promise<IncomingMessage> {
  const { method, path, body, accept = 'application/json', folder, client, signal } = request;
  const headers = {
    accept,
    host: 'localhost',
    ...(folder === undefined ? {} : { [FOLDER_HEADER]: encodeURIComponent(folder) }),
    ...(client === undefined ? {} : { [CLIENT_HEADER]: client }),
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = http.request({
      socketPath,
      agent,
      method,
      path,
      headers,
      ...(signal ? { signal } : {}),
    });
    outgoing.once('response', resolve);
    outgoing.once('error', (error) => reject(unavailable(error, socketPath)));
    outgoing.end(body);
  });
}

async function* bodyOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of response) yield chunk as Buffer; // no encoding was set
  } catch (cause) {
    throw gone(cause);
  }
}

function unavailable(cause: Error, socket: string): PlugError {
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
