import type { ServerResponse } from 'node:http';
import { messageOf } from '../base/errors.ts';
import { guarded } from '../base/faults.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { Routes } from '../gateway/http/routes.ts';
import type { FrontsOptions, GatewayFronts } from './gateway-fronts.ts';

export interface MountOptions extends FrontsOptions {
  readonly open: () => Promise<Gateway | undefined>;
  /** Early requests wait for it: until then our own address is unknown. */
  readonly ready: Promise<void>;
}

/** Puts the gateway on the hub's listeners. The first host that comes loads it. */
export function mountGateway(options: MountOptions): GatewayFronts {
  const routes = new Routes();
  let fronts: GatewayFronts | undefined;
  let opening: Promise<GatewayFronts | undefined> | undefined;
  const then = (use: (opened: GatewayFronts) => void, none: () => void): void => {
    const begin = (opened: GatewayFronts | undefined): void => {
      fronts = opened;
      if (opened) use(opened);
      else none();
    };
    opening ??= load(options);
    opening.then(guarded('a first request to the gateway', begin, none), (error: unknown) => {
      options.logger.error('the gateway did not open', { error: messageOf(error) });
      opening = undefined;
      none();
    });
  };
  return {
    connection: (socket, via, door) => {
      if (fronts) fronts.connection(socket, via, door);
      else door.giveAway();
    },
    request: (request, response, via) => {
      if (fronts) return fronts.request(request, response, via);
      if (!routes.find(request.url ?? '')) return false;
      then(
        (opened) => opened.request(request, response, via),
        () => refuse(response),
      );
      return true;
    },
    upgrade: (request, socket, head, via) => {
      if (fronts) return fronts.upgrade(request, socket, head, via);
      then(
        (opened) => opened.upgrade(request, socket, head, via),
        () => socket.destroy(),
      );
    },
    close: async () => (await opening)?.close(),
  };
}

async function load({ open, ready, ...options }: MountOptions): Promise<GatewayFronts | undefined> {
  await ready;
  const [{ openFronts }, gateway] = await Promise.all([import('./gateway-fronts.ts'), open()]);
  return gateway && openFronts(gateway, options);
}

function refuse(response: ServerResponse): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(404, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'not_found', message: 'This hub has no gateway.' } }));
}
