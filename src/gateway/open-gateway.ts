import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Approval } from '../hub/hub.ts';
import type { RootHub } from '../hub/open-hub.ts';
import { Approver } from './approver.ts';
import { toRpcError } from './errors.ts';
import type { Gateway } from './gateway.ts';
import { openSession } from './legacy-session.ts';
import { gatewayLimits, type GatewayLimits } from './limits.ts';
import { ModernHosts, modernMethods } from './modern.ts';
import { Rooms } from './rooms.ts';

export interface GatewayOptions {
  readonly hub: Pick<RootHub, 'in' | 'as'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  /** Where a person can answer an approval, if there is such a page. */
  readonly approvalLink?: (approval: Approval) => string | undefined;
  readonly limits?: Partial<GatewayLimits>;
}

/** One MCP endpoint for all servers. Nothing is read before the first host comes. */
export function openGateway(options: GatewayOptions): Gateway {
  const { hub, clock, ids, version } = options;
  const limits = { ...gatewayLimits, ...options.limits };
  const client = { id: ids.next('gateway'), kind: 'library' } as const;
  const approver = new Approver({
    clock,
    ids,
    limits,
    answering: (id) => hub.as({ id, kind: 'elicitation' }),
    link: options.approvalLink ?? (() => undefined),
  });
  const rooms = new Rooms({
    clock,
    limits,
    version,
    hub: async (folder) => (folder === undefined ? hub.as(client) : hub.in(folder, client)),
  });
  const modern = new ModernHosts({ clock, ids, limits, approver });
  const close = async (): Promise<void> => {
    await modern.close();
    await rooms.close();
  };
  return {
    initialize: async (params, link) => {
      try {
        return await openSession(await rooms.find(link.scope, link.principal), params, link, approver);
      } catch (error) {
        throw toRpcError(error);
      }
    },
    request: (request, exchange) => {
      const room = rooms.find(request.scope, request.principal);
      if (!(room instanceof Promise)) return modern.request(room, request, exchange);
      return room.then((opened) => modern.request(opened, request, exchange));
    },
    knows: (method) => modernMethods.has(method),
    close,
    [Symbol.asyncDispose]: close,
  };
}
