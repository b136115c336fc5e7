import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { BlockList, isIP, type AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { hasCode, PlugError } from '../base/errors.ts';
import { guarded } from '../base/faults.ts';
import { limits } from '../base/limits.ts';
import { teamLimits } from './limits.ts';

export interface ListenerOptions {
  /** 0 takes any free one. */
  readonly port: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where people reach the team, if not where it listens. */
  readonly url: string | undefined;
  /** Whether all that comes from this machine comes from a proxy, which adds to X-Forwarded-For. */
  readonly behindProxy: boolean;
}

export interface ListenerPlan {
  readonly host: string;
  readonly port: number;
  readonly trusted: TrustedPeers;
}

/** Beyond this machine we listen only to those who are named, and only behind their TLS. */
export function planListener({ port, env, url, behindProxy }: ListenerOptions): ListenerPlan {
  const host = env['PLUG_LISTEN'] || '127.0.0.1';
  if (isIP(host) === 0) throw bad('PLUG_LISTEN', 'is no address', 'Write an address, such as 0.0.0.0.');
  const proxies = (env['PLUG_TRUSTED_PROXIES'] ?? '').split(',').flatMap((text) => text.trim() || []);
  const trusted = new TrustedPeers(proxies, behindProxy);
  if (LOOPBACK.check(host, familyOf(host))) return { host, port, trusted };
  if (proxies.length === 0) {
    const remedy = 'Name the networks of your proxy and of the other replicas, such as 10.0.3.0/24.';
    throw bad('PLUG_TRUSTED_PROXIES', 'is missing: others than this machine can reach the hub', remedy);
  }
  if (url?.startsWith('https:') !== true) {
    const remedy = 'Give it with --url https://plug.example.com, or in PLUG_TEAM_URL.';
    throw bad('PLUG_TEAM_URL', 'is missing, or has no TLS: others than this machine reach the hub', remedy);
  }
  return { host, port, trusted };
}

function bad(variable: string, why: string, remedy: string): PlugError {
  return new PlugError('bad_config', `${variable} ${why}.`, { owner: 'you', remedy });
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

/** The proxies and replicas that may speak to us, and whose word about their own peers counts. */
export class TrustedPeers {
  readonly #named = new BlockList();
  readonly #isBehindLocal: boolean;

  constructor(networks: readonly string[], isBehindLocal: boolean) {
    this.#isBehindLocal = isBehindLocal;
    for (const network of networks) addNetwork(this.#named, network);
  }

  /** Everybody else is refused, whatever they say. */
  mayConnect(address: string | undefined): boolean {
    return address !== undefined && (this.#isNamed(address) || isLocal(address));
  }

  /** Whoever can reach us directly could write the header as well, so it counts only from those who are named. */
  peerOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
    const given = headers['x-forwarded-for'];
    const hops = (Array.isArray(given) ? given.join(',') : (given ?? '')).split(',').map((hop) => hop.trim());
    let peer = socket.remoteAddress;
    while (peer !== undefined && this.#isProxy(peer)) {
      const before = hops.pop();
      if (before === undefined || isIP(before) === 0) break;
      peer = before;
    }
    return peer;
  }

  #isProxy(address: string): boolean {
    return this.#isNamed(address) || (this.#isBehindLocal && isLocal(address));
  }

  #isNamed(address: string): boolean {
    const plain = withoutMapping(address);
    return isIP(plain) !== 0 && this.#named.check(plain, familyOf(plain));
  }
}

function addNetwork(list: BlockList, network: string): void {
  const [address = '', bits, ...rest] = network.split('/');
  try {
    if (isIP(address) === 0 || rest.length > 0) throw new Error('no address');
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(/^\d{1,3}$/.test(bits) ? bits : Number.NaN), familyOf(address));
  } catch {
    const remedy = 'Write addresses or networks, such as 10.0.3.0/24, with commas between them.';
    throw bad('PLUG_TRUSTED_PROXIES', `holds what is no network: ${network.slice(0, 80)}`, remedy);
  }
}

function isLocal(address: string): boolean {
  const plain = withoutMapping(address);
  return isIP(plain) !== 0 && LOOPBACK.check(plain, familyOf(plain));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** A socket for both families shows addresses of the older one in this form. */
function withoutMapping(address: string): string {
  return address.startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

export interface Listening {
  readonly port: number;
  /** The handler can be set once everything that it needs is there. */
  serve(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> | void): void;
  close(): Promise<void>;
}

export async function listen({ host, port, trusted }: ListenerPlan, clock: Clock): Promise<Listening> {
  const server = createServer({
    headersTimeout: limits.apiHeadersTimeoutMs,
    requestTimeout: limits.apiRequestTimeoutMs,
    maxHeaderSize: limits.apiHeaderBytesMax,
  });
  server.maxConnections = limits.apiConnectionsMax;
  await listening(server, { host, port });
  const address = server.address() as AddressInfo; // a listening TCP server has one
  return {
    port: address.port,
    serve: (handle) =>
      void server.on(
        'request',
        guarded(
          'a request',
          (request, response) => {
            const { url, socket } = request;
            if (url === '/health' || trusted.mayConnect(socket.remoteAddress))
              return handle(request, response);
            return void response.writeHead(403).end();
          },
          (_request, response) => response.destroy(),
        ),
      ),
    close: async () => {
      const closed = new Promise((done) => server.close(done));
      // What has come in is answered first: another replica may have sent it on, and could not tell what became of it.
      const stopSweep = clock.every(teamLimits.drainPollMs, () => server.closeIdleConnections());
      const cancel = clock.after(teamLimits.lastAnswersMs, () => server.closeAllConnections());
      await closed;
      stopSweep();
      cancel();
    },
  };
}

async function listening(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  try {
    await new Promise<void>((ready, failed) => {
      server.once('error', failed);
      server.listen(port, host, ready);
    });
  } catch (error) {
    if (!hasCode(error, 'EADDRINUSE')) throw error;
    const options = { owner: 'you', remedy: 'Take another port.' } as const;
    throw new PlugError('unavailable', `Something else listens on port ${port} already.`, options);
  }
}
