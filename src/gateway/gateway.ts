import type { JsonObject } from '../base/json.ts';
import type { Answer, RpcId } from './rpc.ts';
import type { Scope } from './scope.ts';

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
  /** The stream that it came on, for hosts on stdio: what a server must not share is kept per stream. */
  readonly link?: string;
  /** Aborts when that stream has ended: nobody will come back for what is kept for it. */
  readonly linkEnded?: AbortSignal;
  readonly cwd?: string | undefined;
  /** A header of the HTTP request, for parameters that are mirrored there; absent on stdio. */
  readonly header?: (name: string) => string | undefined;
}
