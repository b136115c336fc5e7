import type { JsonObject } from '../../src/base/json.ts';
import type { Exchange, Gateway, HostLink, HostSession, ModernRequest } from '../../src/gateway/gateway.ts';
import { RpcError, rpcCodes, type Answer } from '../../src/gateway/rpc.ts';

/** A request as it reached the gateway, of either era. */
export interface Reached {
  readonly method: string;
  readonly params: JsonObject;
  readonly exchange: Exchange;
  readonly link?: HostLink;
  readonly modern?: ModernRequest;
}

export interface ToyGateway extends Gateway {
  readonly reached: Reached[];
  readonly notified: { readonly method: string; readonly params: JsonObject }[];
  readonly links: HostLink[];
  readonly closed: HostLink[];
  /** Why exchanges were aborted, in their order. */
  readonly aborted: string[];
}

type Method = (reached: Reached) => Promise<Answer> | Answer;

/**
 * A gateway with a handful of methods, so that a front can be tested alone: `echo` answers its
 * params, `wait` never answers by itself, `progress` notifies first, `question` asks the host.
 */
export function toyGateway(methods: Readonly<Record<string, Method>> = {}): ToyGateway {
  const reached: Reached[] = [];
  const notified: { method: string; params: JsonObject }[] = [];
  const links: HostLink[] = [];
  const closed: HostLink[] = [];
  const aborted: string[] = [];
  const all: Readonly<Record<string, Method>> = { ...usual, ...methods };

  const answer = async (given: Reached): Promise<Answer> => {
    reached.push(given);
    given.exchange.signal.addEventListener('abort', () => aborted.push(String(given.exchange.signal.reason)));
    const method = all[given.method];
    if (!method) throw new RpcError(rpcCodes.methodNotFound, `There is no method ${given.method}.`);
    return method(given);
  };
  const sessionOf = (link: HostLink): HostSession => ({
    request: (method, params, exchange) => answer({ method, params, exchange, link }),
    notification: (method, params) => void notified.push({ method, params }),
    close: async () => void closed.push(link),
  });
  return {
    reached,
    notified,
    links,
    closed,
    aborted,
    initialize: async (params, link) => {
      if (params['refuse'] === true) throw new RpcError(rpcCodes.invalidParams, 'Not like this.');
      links.push(link);
      const { protocolVersion = '2025-11-25' } = params;
      return { result: { protocolVersion, capabilities: {}, serverInfo: {} }, session: sessionOf(link) };
    },
    request: (modern, exchange) => answer({ method: modern.method, params: modern.params, exchange, modern }),
    knows: (method) => Object.hasOwn(all, method),
    isAtRest: () => true,
    endHost: () => undefined,
    close: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const usual: Readonly<Record<string, Method>> = {
  echo: ({ params }) => ({ params }),
  'tools/call': ({ params }) => ({ called: params['name'] ?? null }),
  'server/discover': () => ({ supportedVersions: ['2026-07-28'] }),
  wait: ({ exchange }) =>
    new Promise((_resolve, reject) => {
      exchange.signal.addEventListener('abort', () => reject(exchange.signal.reason));
    }),
  progress: ({ params, exchange }) => {
    exchange.notify('notifications/progress', { token: params['token'] ?? null });
    return { done: true };
  },
  fail: ({ params }) => {
    throw new RpcError(Number(params['code']), 'It failed.', { why: 'asked to' });
  },
  bug: () => {
    throw new TypeError('cannot read properties of undefined');
  },
  question: ({ link, exchange }) =>
    link?.ask('elicitation/create', { message: 'Sure?' }, { signal: exchange.signal, during: exchange }) ??
    {},
  'subscriptions/listen': ({ exchange }) =>
    new Promise((resolve) => {
      exchange.notify('notifications/subscriptions/acknowledged', {});
      exchange.signal.addEventListener('abort', () => resolve({}));
    }),
};
