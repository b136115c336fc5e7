import { chmod, lstat, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Api } from '../api/app.ts';
import type { Via } from '../api/guard.ts';
import type { Clock } from '../base/clock.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import { guarded } from '../base/faults.ts';
import { limits } from '../base/limits.ts';
import { peerOf } from '../base/peer-owner.ts';
import type { Door } from '../gateway/http/plain/connections.ts';

/** The gateway's fronts, which sit on the listener beside the API. */
export interface GatewayFront {
  /** Reads a connection itself as long as it can, then gives it away. */
  connection(socket: Socket, via: Via, door: Door): void;
  /** False: the request is for the API. */
  request(request: IncomingMessage, response: ServerResponse, via: Via): boolean;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, via: Via): void;
}

export interface ListenOptions {
  readonly fetch: Api['fetch'];
  readonly gateway?: GatewayFront;
  readonly socket: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Tried first if any port will do. */
  readonly portBefore?: number | undefined;
  readonly clock: Clock;
  readonly timeouts?: { readonly headersMs: number; readonly requestMs: number; readonly checkMs: number };
}

export interface Listener {
  readonly url: string;
  readonly open: () => number;
  /** Monotonic time of the last request's beginning or end. */
  readonly lastUsed: () => number;
  /** Waits for open requests for a moment, then ends them. */
  close(): Promise<void>;
}

/** Listens on the unix socket and on 127.0.0.1, and nowhere else. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const use = new Use(options.clock);
  const servers: Server[] = [];
  try {
    const socket = createFront('socket', options, use);
    servers.push(socket);
    await removeLeftover(options.socket);
    await started(socket, (ready) => socket.listen(options.socket, ready));
    // Until then the folder's mode, 0700, keeps others out.
    if (process.platform !== 'win32') await chmod(options.socket, 0o600);
    const port = createFront('port', options, use);
    servers.push(port);
    await startPort(port, options);
    const { port: bound } = port.address() as AddressInfo; // a listening TCP server has one
    return {
      url: `http://127.0.0.1:${bound}`,
      open: () => use.open,
      lastUsed: () => use.last,
      close: () => closeAll(servers, options.clock, use),
    };
  } catch (error) {
    await closeAll(servers, options.clock, use);
    throw error;
  }
}

/** At the port where pages look for us, unless it is taken or another one was asked for. */
async function startPort(server: Server, { port, portBefore }: ListenOptions): Promise<void> {
  const at = (wanted: number): Promise<void> =>
    started(server, (ready) => server.listen(wanted, '127.0.0.1', ready));
  if (port !== 0 || portBefore === undefined) return await at(port);
  try {
    await at(portBefore);
  } catch {
    await at(0);
  }
}

/** Timeouts are for receiving a request; an answer may stream as long as it likes. */
function createFront(via: Via, { fetch, gateway, timeouts }: ListenOptions, use: Use): Server {
  const api = getRequestListener((request, { incoming }) => fetch(request, via, peerOf(incoming.socket)), {
    overrideGlobalObjects: false,
  });
  const end = (): void => use.end();
  const respond = (request: IncomingMessage, response: ServerResponse): unknown => {
    use.begin();
    response.on('close', end); // which comes once
    return gateway?.request(request, response, via) || api(request, response);
  };
  const server = createServer(
    {
      headersTimeout: timeouts?.headersMs ?? limits.apiHeadersTimeoutMs,
      requestTimeout: timeouts?.requestMs ?? limits.apiRequestTimeoutMs,
      connectionsCheckingInterval: timeouts?.checkMs ?? limits.apiConnectionsCheckMs,
      maxHeaderSize: limits.apiHeaderBytesMax,
    },
    guarded('a request', respond, (_request, response) => response.destroy()),
  );
  server.maxConnections = limits.apiConnectionsMax;
  // Hosts on the port send many calls; those on the socket have streams.
  if (gateway && via === 'port') plainFirst(server, gateway, use);
  // Without a listener Node would answer the request as usual.
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): unknown => {
    // Node's server no longer listens to this socket, and the gateway does not yet.
    socket.on('error', () => socket.destroy());
    if (!gateway) return socket.destroy();
    use.begin();
    use.streams.add(socket);
    socket.once('close', () => {
      use.streams.delete(socket);
      use.end();
    });
    return gateway.upgrade(request, socket, head, via);
  };
  const upgraded = guarded('an upgrade', upgrade, (_request, socket) => socket.destroy());
  return server.on('upgrade', upgraded);
}

/** Lets the gateway read each connection first. */
function plainFirst(server: Server, gateway: GatewayFront, use: Use): void {
  readBefore(server, (socket, giveAway) => {
    const forget = (): void => void use.streams.delete(socket);
    use.streams.add(socket);
    socket.once('close', forget);
    gateway.connection(socket, 'port', {
      begin: () => use.begin(),
      end: () => use.end(),
      giveAway: () => {
        socket.off('close', forget);
        forget();
        giveAway();
      },
    });
  });
}

/** What `read` gives away goes where it would have gone without it. */
export function readBefore(server: Server, read: (socket: Socket, giveAway: () => void) => void): void {
  const byNode = server.listeners('connection');
  server.removeAllListeners('connection');
  const take = (socket: Socket): void =>
    read(socket, () => {
      for (const listener of byNode) Reflect.apply(listener, server, [socket]);
    });
  const taken = guarded('a connection', take, (socket) => socket.destroy());
  server.on('connection', taken);
}

class Use {
  readonly #clock: Clock;
  /** Connections that Node’s server does not know: streams, and those that the gateway reads. */
  readonly streams = new Set<Duplex>();
  open = 0;
  last: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.last = clock.monotonic();
  }

  begin(): void {
    this.open += 1;
    this.last = this.#clock.monotonic();
  }

  end(): void {
    this.open -= 1;
    this.last = this.#clock.monotonic();
  }
}

/** Removes the socket of a crashed hub. We hold the lock, so no living hub listens there. */
async function removeLeftover(socket: string): Promise<void> {
  const found = await lstat(socket).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found?.isSocket()) await rm(socket);
}

function started(server: Server, begin: (ready: () => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    // Later errors are about a connection that could not be accepted.
    server.on('error', (cause) => reject(cannotListen(cause)));
    begin(resolve);
  });
}

function cannotListen(cause: Error): PlugError {
  return new PlugError('unavailable', `The hub cannot listen: ${cause.message}.`, {
    owner: 'you',
    ...(hasCode(cause, 'EADDRINUSE') ? { remedy: 'Choose another port with PLUG_PORT, or unset it.' } : {}),
    cause,
  });
}

async function closeAll(servers: readonly Server[], clock: Clock, use: Use): Promise<void> {
  const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
  for (const server of servers) server.closeIdleConnections();
  const deadline = clock.monotonic() + limits.hubDrainMs;
  while (use.open > 0 && clock.monotonic() < deadline) await clock.sleep(limits.hubPollMs);
  for (const server of servers) server.closeAllConnections();
  for (const stream of use.streams) stream.destroy();
  await Promise.all(closed);
}
