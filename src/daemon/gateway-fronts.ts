import { Refusal } from '../api/answer.ts';
import { decodeFolder, type FoldersHub } from '../api/folders.ts';
import { createGuard, type GuardOptions } from '../api/guard.ts';
import { FOLDER_HEADER } from '../api/send.ts';
import type { Ids } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { HttpFront } from '../gateway/http/http-front.ts';
import type { Admit } from '../gateway/http/knock.ts';
import { openGateway, type GatewayOptions } from '../gateway/open-gateway.ts';
import { openStreamFront } from '../gateway/stream/upgrade.ts';
import type { GatewayFront } from './listen.ts';

export interface FrontsOptions extends GuardOptions {
  readonly ids: Ids;
  readonly logger: Logger;
}

export interface GatewayFronts extends GatewayFront {
  close(): Promise<void>;
}

/** The gateway of a hub that can be seen from several folders; a hub that cannot has none. */
export function gatewayOf(hub: FoldersHub, options: Omit<GatewayOptions, 'hub'>): Gateway | undefined {
  const { in: seenFrom, as } = hub;
  return seenFrom && as ? openGateway({ ...options, hub: { in: seenFrom, as } }) : undefined;
}

/** Every way in which hosts reach a gateway, behind the guard that the API has too. */
export function openFronts(gateway: Gateway, options: FrontsOptions): GatewayFronts {
  const admit = admitHosts(options);
  const http = new HttpFront({ ...options, gateway, admit });
  const streams = openStreamFront({ ...options, gateway, admit });
  return {
    connection: (socket, via, door) => http.connection(socket, via, door),
    request: (request, response, via) => http.request(request, response, via),
    upgrade: (request, socket, head, via) => streams.upgrade(request, socket, head, via),
    close: async () => {
      await Promise.all([http.close(), streams.close()]);
      await gateway.close();
    },
  };
}

/** The guard's word in the form that the fronts know. */
function admitHosts(options: GuardOptions): Admit {
  const guard = createGuard(options);
  return (knock, via) => {
    try {
      const principal = guard(knock, via);
      const folder = knock.header(FOLDER_HEADER);
      return folder === undefined ? { principal } : { principal, folder: decodeFolder(folder) };
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
}
