import { LOCAL } from '../hub/principal.ts';
import type { JsonObject } from '../base/json.ts';
import type { Answer, RpcId } from './rpc.ts';
import type { Scope } from './scope.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Approval } from '../hub/hub.ts';
import type { RootHub } from '../hub/open-hub.ts';
import { Approver } from './approver.ts';
import { toRpcError } from './errors.ts';
import { openSession } from './legacy-session.ts';
import { gatewayLimits, type GatewayLimits } from './limits.ts';
import { ModernHosts, modernMethods } from './modern.ts';
import { OpenScopes } from './open-scopes.ts';

/**
 * The gateway as its fronts see it. A front speaks one transport with hosts: it frames, bounds,
 * authenticates and matches ids; what a method means is decided here, once for all of them.
 */
export interface Gateway extends AsyncDisposable {
  /** Answers a legacy host's `initialize`, and opens its session. */
  initialize(
    params: JsonObject,
    link: HostLink,
  ): Promise<{ readonly result: JsonObject; readonly session: HostSession }>;
  /** Answers one request of a modern host: it carries everything that it needs. Throws RpcError. */
  request(request: ModernRequest, exchange: Exchange): Promise<Answer>;
  /** Whether the method exists in the modern era: another one is answered with HTTP 404. */
  knows(method: string): boolean;
  /** Lets go of everything that is kept for a host whose token was revoked. */
  endHost(principal: string): void;
  close(): Promise<void>;
}

/** One request of a host's while it runs, and the way back beside the answer. */
export interface Exchange {
  /** Aborts when the host cancels, closes the stream or goes away. */
  readonly signal: AbortSignal;
  /** Sends a notification on this request's own stream. A host that does not read loses it, bounded. */
  notify(method: string, params: JsonObject): void;
  /** Ends the work on this request from our side: unlike a cancellation, it is still answered. */
  abort(reason: Error): void;
}

/** A legacy host at the other end of a link. */
export interface HostLink {
  readonly scope: Scope;
  /** Whom it acts for: lists, grants and parked calls never cross from one to another. */
  readonly principal: string;
  /** As the user calls it, for a host that came with a token: what it says of itself does not count then. */
  readonly host?: string;
  /** Where the host works, if it said so. */
  readonly cwd?: string;
  /** Puts a question to the host, on the stream of the request in whose course it comes up. */
  ask(
    method: string,
    params: JsonObject,
    options: { readonly signal: AbortSignal; readonly during?: Exchange | undefined },
  ): Promise<JsonObject>;
  /** Sends a notification that belongs to no request. */
  notify(method: string, params: JsonObject): void;
}

export interface HostSession {
  /** Throws RpcError. */
  request(method: string, params: JsonObject, exchange: Exchange): Promise<Answer>;
  /** `notifications/cancelled` is the front's own business: it knows the ids. */
  notification(method: string, params: JsonObject): void;
  close(): Promise<void>;
}

export interface ModernRequest {
  /** The host's own: messages of a subscription are tagged with it. */
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly scope: Scope;
  readonly principal: string;
  /** As in HostLink. */
  readonly host?: string | undefined;
  /** The stream that it came on, for hosts on stdio: what a server must not share is kept per stream. */
  readonly link?: string;
  /** Aborts when that stream has ended: nobody will come back for what is kept for it. */
  readonly linkEnded?: AbortSignal;
  readonly cwd?: string | undefined;
  /** A header of the HTTP request, for parameters that are mirrored there; absent on stdio. */
  readonly header?: (name: string) => string | undefined;
}

export interface GatewayOptions {
  readonly hub: Pick<RootHub, 'in' | 'as'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  /** Where a person can answer an approval, if there is such a page. */
  readonly approvalLink?: (approval: Approval) => string | undefined;
  /** Where the page lists what waits. */
  readonly approvalsPage?: () => string | undefined;
  readonly limits?: Partial<GatewayLimits>;
}

/** One MCP endpoint for all servers. Nothing is read before the first host comes. */
export function openGateway(options: GatewayOptions): Gateway {
  const { hub, clock, ids, version } = options;
  const limits = { ...gatewayLimits, ...options.limits };
  const client = { id: ids.next('gateway'), kind: 'library', principal: LOCAL } as const;
  const approver = new Approver({
    clock,
    ids,
    limits,
    answering: (id) => hub.as({ id, kind: 'elicitation', principal: LOCAL }),
    link: options.approvalLink ?? (() => undefined),
    page: options.approvalsPage ?? (() => undefined),
  });
  const openScopes = new OpenScopes({
    clock,
    limits,
    version,
    hub: async (folder) => (folder === undefined ? hub.as(client) : hub.in(folder, client)),
  });
  const modern = new ModernHosts({ clock, ids, limits, approver });
  const close = async (): Promise<void> => {
    await modern.close();
    await openScopes.close();
  };
  return {
    initialize: async (params, link) => {
      try {
        return await openSession(await openScopes.find(link.scope, link.principal), params, link, approver);
      } catch (error) {
        throw toRpcError(error);
      }
    },
    request: (request, exchange) => {
      const found = openScopes.find(request.scope, request.principal);
      if (!(found instanceof Promise)) return modern.request(found, request, exchange);
      return found.then((opened) => modern.request(opened, request, exchange));
    },
    knows: (method) => modernMethods.has(method),
    endHost: (principal) => {
      modern.endHost(principal);
      openScopes.endHost(principal);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
