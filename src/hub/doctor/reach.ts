import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';

export type Reached =
  | { readonly kind: 'open' }
  | { readonly kind: 'proxied' }
  | {
      readonly kind: 'closed';
      readonly says: string;
      readonly next: string;
      readonly details: readonly string[];
    };

export interface ReachOptions {
  readonly limitMs: number;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Connects, with TLS where the address says so, and lets go at once: nothing is sent. */
export async function accepts(address: URL, { limitMs, clock, env }: ReachOptions): Promise<Reached> {
  const secure = address.protocol === 'https:' || address.protocol === 'wss:';
  // Behind a proxy only the proxy knows what is there.
  if (!isLoopback(address.hostname) && hasProxy(secure, env)) return { kind: 'proxied' };
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = Number(address.port || (secure ? 443 : 80));
  const named = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
  const socket = secure ? connectTls({ host, port, ...named }) : connectTcp({ host, port });
  const cancel = clock.after(limitMs, () => void socket.destroy(new Error('no answer in time')));
  try {
    await once(socket, secure ? 'secureConnect' : 'connect');
    return { kind: 'open' };
  } catch (error) {
    return closed(error, `${host}:${port}`, host);
  } finally {
    cancel();
    socket.destroy();
  }
}

function hasProxy(secure: boolean, env: ReachOptions['env']): boolean {
  const names = secure ? ['HTTPS_PROXY', 'https_proxy'] : ['HTTP_PROXY', 'http_proxy'];
  return names.some((name) => env[name]);
}

function closed(error: unknown, place: string, host: string): Reached {
  const code = isObject(error) && typeof error['code'] === 'string' ? error['code'] : '';
  const details = [code === '' ? messageOf(error) : code];
  if (code === 'ECONNREFUSED' || messageOf(error).includes('ECONNREFUSED')) {
    const next = `Start the service at ${place}, or correct the server's address.`;
    return { kind: 'closed', says: `Nothing listens at ${place}.`, next, details };
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const next = 'Correct the name in the address, or look at your network and its name server.';
    return { kind: 'closed', says: `There is no address for the name ${host}.`, next, details };
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code)) {
    const next =
      'If your company signs certificates itself: set NODE_EXTRA_CA_CERTS to its file, then plug hub restart.';
    return { kind: 'closed', says: `The certificate of ${place} is not believed.`, next, details };
  }
  if (/^ERR_SSL|EPROTO/.test(code)) {
    const next = 'Try the address with http: in place of https:.';
    return { kind: 'closed', says: `${place} does not speak TLS.`, next, details };
  }
  return { kind: 'closed', says: `${place} cannot be reached.`, next: 'Look at your network.', details };
}
