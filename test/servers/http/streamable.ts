import { randomUUID } from 'node:crypto';
import {
  type NodeIncomingMessageLike,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler, isInitializeRequest } from '@modelcontextprotocol/server';
import type { Params } from '../params.ts';
import { richServer } from '../rich/server.ts';
import { newWorld, type World } from '../rich/world.ts';
import {
  answerError,
  type Exchange,
  type HttpBehaviour,
  type MakeBehaviour,
  type Stats,
} from './behavior.ts';

/** Speaks 2026-07-28 only. */
export const modern: MakeBehaviour = (params) => perRequest(params, 'reject');

/** Speaks 2026-07-28, and older versions without sessions. */
export const dual: MakeBehaviour = (params) => perRequest(params, 'stateless');

function perRequest(params: Params, legacy: 'reject' | 'stateless'): HttpBehaviour {
  const world = newWorld({ page: params.number('page', 0) });
  const handler = createMcpHandler(({ era }) => richServer({ era, world, listens: false }), { legacy });
  world.listeners.add(handler.notify);
  const handle = toNodeHandler(handler);
  return {
    // The SDK's type only lacks “or undefined” in its optional fields.
    handle: ({ request, response, body }) => handle(request as NodeIncomingMessageLike, response, body),
  };
}

/** Sessions before 2026, answers as event streams. */
export const legacyStatefulSse: MakeBehaviour = (params, stats) => stateful(params, stats, false);

/** Sessions before 2026, answers as plain JSON; what goes to the host besides needs its GET stream. */
export const legacyStatefulJson: MakeBehaviour = (params, stats) => stateful(params, stats, true);

function stateful(params: Params, stats: Stats, json: boolean): HttpBehaviour {
  const world = newWorld({ page: params.number('page', 0), asksBesideCall: json });
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
  const update = (): void => {
    stats.sessionsOpen = sessions.size;
  };

  const open = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: json,
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
        stats.sessions += 1;
        update();
      },
      onsessionclosed: (id) => {
        sessions.delete(id);
        update();
      },
    });
    await legacyServer(world, params, true).connect(transport);
    return transport;
  };

  const handle = async ({ request, response, body }: Exchange): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known) return known.handleRequest(request, response, body);
    if (id !== undefined) return answerError(response, 404, 'Session not found');
    if (!isInitializeRequest(body)) return answerError(response, 400, 'No valid session ID provided');
    return (await open()).handleRequest(request, response, body);
  };

  /** Forgets like a restarted server: known ids are unknown, and streams are cut. */
  const forget = async (): Promise<void> => {
    const forgotten = [...sessions.values()];
    sessions.clear();
    update();
    for (const transport of forgotten) await transport.close();
  };
  return { handle, controls: { '/_forget': forget } };
}

/** Older versions, no sessions: every request has a server of its own; GET and DELETE are refused. */
export const legacyStateless: MakeBehaviour = (params) => {
  const world = newWorld({ page: params.number('page', 0) });
  return {
    handle: async ({ request, response, body }) => {
      if (request.method !== 'POST') return answerError(response, 405, 'Method not allowed.');
      const server = legacyServer(world, params, false);
      const transport = new NodeStreamableHTTPServerTransport({ enableJsonResponse: params.flag('json') });
      response.on('close', () => void transport.close());
      await server.connect(transport);
      return transport.handleRequest(request, response, body);
    },
  };
};

function legacyServer(world: World, params: Params, listens: boolean): ReturnType<typeof richServer> {
  return richServer({ era: 'legacy', world, listens, version: params.text('version') });
}
