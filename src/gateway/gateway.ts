import { LOCAL } from '../hub/principal.ts';
import type { JsonObject } from '../base/json.ts';
import type { Answer, RpcId } from './rpc.ts';
import type { Scope } from './scope.ts';
import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Approval } from '../hub/hub.ts';
import type { RootHub } from '../hub/open-hub.ts';
import { Approver } from './approver.ts';
import { passesMethod } from './endpoint.ts';
import { toRpcError } from './errors.ts';
import { openSession } from './legacy-session.ts';
import { gatewayLimits, type GatewayLimits } from './limits.ts';
import { ModernHosts, modernMethods } from './modern.ts';
import { OpenScopes } from './open-scopes.ts';
import { TaskBook } from './host-tasks.ts';

/** The gateway for its fronts, which frame, bound, authenticate and match ids; methods are handled here. */
export interface Gateway extends AsyncDisposable {
  initialize(
    params: JsonObject,
    link: HostLink,
  ): Promise<{ readonly result: JsonObject; readonly session: HostSession }>;
  /** Self-contained, as every request of a modern host. Throws RpcError. */
  request(request: ModernRequest, exchange: Exchange): Promise<Answer>;
  /** Unknown modern methods are answered with HTTP 404. */
  knows(method: string, scope: Scope): boolean;
  /** No call waits for its host, and no host has a task. */
  isAtRest(): boolean;
  /** Drops everything kept for a host whose token was revoked. */
  endHost(principal: string): void;
  close(): Promise<void>;
}

export interface Exchange {
  /** Aborts when the host cancels or goes away. */
  readonly signal: AbortSignal;
  /** On the request's own stream; dropped for a host that doesn't read. */
  notify(method: string, params: JsonObject): void;
  /** Unlike a cancellation, the request is still answered. */
  abort(reason: Error): void;
}

export interface HostIdentity {
  readonly scope: Scope;
  /** Lists, grants and parked calls never cross principals. */
  readonly principal: string;
  /** The user's name for a host with a token; overrides the host's own. */
  readonly host?: string | undefined;
  readonly cwd?: string | undefined;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  readonly during?: Exchange | undefined;
}

export interface HostLink extends HostIdentity {
  /** On the stream of the request it belongs to. */
  ask(method: string, params: JsonObject, options: AskOptions): Promise<JsonObject>;
  notify(method: string, params: JsonObject): void;
}

export interface HostSession {
  /** Throws RpcError. */
  request(method: string, params: JsonObject, exchange: Exchange): Promise<Answer>;
  /** `notifications/cancelled` is handled by the front, which knows the ids. */
  notification(method: string, params: JsonObject): void;
  close(): Promise<void>;
}

export interface ModernRequest extends HostIdentity {
  /** The host's own; subscription messages are tagged with it. */
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  /** The stdio stream it came on: unshared servers are kept per stream. */
  readonly link?: string;
  readonly linkEnded?: AbortSignal;
  /** An HTTP header, for mirrored parameters; absent on stdio. */
  readonly header?: (name: string) => string | undefined;
}

export interface GatewayOptions {
  readonly hub: Pick<RootHub, 'in' | 'as'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly version: string;
  readonly approvalLink?: (approval: Approval) => string | undefined;
  /** For those with a page session. */
  readonly approvalsPage?: () => string | undefined;
  readonly limits?: Partial<GatewayLimits>;
  /** Seals what modern hosts bring back: with the same one, also after a restart. 32 bytes. */
  readonly stateKey?: Buffer;
}

/** Reads nothing before the first host comes. */
export function openGateway(options: GatewayOptions): Gateway {
  const { hub, clock, ids, version } = options;
  const limits = { ...gatewayLimits, ...options.limits };
  const client = { id: ids.next('gateway'), kind: 'library', principal: LOCAL } as const;
  const approver = new Approver({ ...options, limits });
  const openScopes = new OpenScopes({
    clock,
    limits,
    version,
    hub: async (folder) => (folder === undefined ? hub.as(client) : hub.in(folder, client)),
  });
  const tasks = new TaskBook(ids, limits.tasksMax);
  const modern = new ModernHosts({ clock, ids, limits, approver, tasks, stateKey: options.stateKey });
  const close = async (): Promise<void> => {
    await modern.close();
    await openScopes.close();
  };
  return {
    initialize: async (params, link) => {
      try {
        const openScope = await openScopes.find(link.scope, link.principal);
        return await openSession({ openScope, params, link, approver, tasks, ids });
      } catch (error) {
        throw toRpcError(error);
      }
    },
    request: (request, exchange) => {
      const found = openScopes.find(request.scope, request.principal);
      if (!(found instanceof Promise)) return modern.request(found, request, exchange);
      return found.then((opened) => modern.request(opened, request, exchange));
    },
    knows: (method, scope) => modernMethods.has(method) || passesMethod(scope, method),
    isAtRest: () => modern.isAtRest && tasks.isEmpty,
    endHost: (principal) => {
      modern.endHost(principal);
      openScopes.endHost(principal);
      tasks.endHost(principal);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
