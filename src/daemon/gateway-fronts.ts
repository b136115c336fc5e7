import { Refusal } from '../api/answer.ts';
import { decodeFolder, type FoldersHub } from '../api/folders.ts';
import { createHostGuard, type HostGuardOptions } from '../api/host-guard.ts';
import { FOLDER_HEADER } from '../api/send.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import { type Gateway, openGateway, type GatewayOptions } from '../gateway/gateway.ts';
import { HttpFront } from '../gateway/http/http-front.ts';
import type { Admit, Admitted } from '../gateway/http/knock.ts';
import type { HostTokens, KnownHost } from '../policy/host-tokens.ts';
import { openStreamFront } from '../gateway/stream/upgrade.ts';
import type { GatewayFront } from './listen.ts';

export interface FrontsOptions extends HostGuardOptions {
  readonly hosts: Pick<HostTokens, 'find' | 'used' | 'onRevoke'> | undefined;
  readonly ids: Ids;
  readonly logger: Logger;
  /** Instead of the guard for hosts of a hub of one user. */
  readonly admit?: Admit;
}

export interface GatewayFronts extends GatewayFront {
  close(): Promise<void>;
}

export interface OpenFronts extends GatewayFronts {
  /** Closed now and opened again, no host would notice. */
  isAtRest(): boolean;
}

/** Undefined for a hub without views for folders. */
export function gatewayOf(hub: FoldersHub, options: Omit<GatewayOptions, 'hub'>): Gateway | undefined {
  const { in: seenFrom, as } = hub;
  return seenFrom && as ? openGateway({ ...options, hub: { in: seenFrom, as } }) : undefined;
}

/** The ways in which hosts reach a gateway, behind their own guard: the API's token opens nothing here. */
export function openFronts(gateway: Gateway, options: FrontsOptions): OpenFronts {
  const { admit = admitHosts(options) } = options;
  const http = new HttpFront({ ...options, gateway, admit });
  const streams = openStreamFront({ ...options, gateway, admit });
  const stopHearing = options.hosts?.onRevoke((host) => {
    const principal = principalOf(host);
    http.endHost(principal);
    streams.endHost(principal);
    gateway.endHost(principal);
  });
  return {
    connection: (socket, via, door) => http.connection(socket, via, door),
    request: (request, response, via) => http.request(request, response, via),
    upgrade: (request, socket, head, via) => streams.upgrade(request, socket, head, via),
    isAtRest: () => http.isAtRest && streams.open() === 0 && gateway.isAtRest(),
    close: async () => {
      stopHearing?.();
      await Promise.all([http.close(), streams.close()]);
      await gateway.close();
    },
  };
}

function admitHosts(options: HostGuardOptions): Admit {
  const guard = createHostGuard(options);
  return (knock, via) => {
    try {
      const host = guard(knock, via);
      const folder = knock.header(FOLDER_HEADER);
      const admitted = host ? admittedAs(host) : LOCAL;
      return folder === undefined ? admitted : { ...admitted, folder: decodeFolder(folder) };
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
}

/** Bridges on the socket, which only the user can open. */
const LOCAL: Admitted = { principal: 'local' };

/** The same object for every request of a host. */
function admittedAs(host: KnownHost): Admitted {
  const known = admittedHosts.get(host);
  if (known) return known;
  const made = { principal: principalOf(host), host };
  admittedHosts.set(host, made);
  return made;
}

const admittedHosts = new WeakMap<KnownHost, Admitted>();

/** Keeps sessions, parked calls and rooms of hosts separate. */
function principalOf({ name }: KnownHost): string {
  return `host ${name}`;
}
