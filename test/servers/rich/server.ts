import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import { complete, getPrompt, prompts, readResource, resources, resourceTemplates } from './content.ts';
import { flowTools } from './flow-tools.ts';
import { hostTools } from './host-tools.ts';
import { plainTools } from './plain-tools.ts';
import type { Era, FixtureTool, Obj } from './tool.ts';
import type { World } from './world.ts';

const LEGACY_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

const richTools: readonly FixtureTool[] = [...plainTools, ...flowTools, ...hostTools];

interface Connection {
  readonly era: Era;
  readonly world: World;
  readonly server: Server;
  /** Resources that a legacy host subscribed to on this connection. */
  readonly subscribed: Set<string>;
}

/**
 * The good server: every tool, resource and prompt of the fixtures. The SDK does the protocol;
 * answers go through its fallback handler, which neither checks nor strips them.
 */
export function richServer(options: {
  readonly era: Era;
  readonly world: World;
  /** Whether the connection lives long enough to hear of changes. */
  readonly listens: boolean;
  /** The only protocol version that a legacy server accepts; absent means all legacy ones. */
  readonly version?: string | undefined;
}): Server {
  const { era, world, version } = options;
  const server = new Server(
    { name: 'fixture', title: 'Fixture server', version: '1.2.3' },
    {
      instructions: 'Use echo to hear yourself.',
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      ...(era === 'legacy' ? { supportedProtocolVersions: version ? [version] : LEGACY_VERSIONS } : {}),
    },
  );
  const connection: Connection = { era, world, server, subscribed: new Set() };
  server.fallbackRequestHandler = async (request, ctx) => ({
    ...(await answer(connection, request.method, request.params ?? {}, ctx)),
  });
  if (options.listens) listen(connection);
  return server;
}

/** On modern connections the SDK itself knows who listens to what. */
function listen({ era, world, server, subscribed }: Connection): void {
  const report = (error: unknown): void => console.error(`could not notify: ${String(error)}`);
  const listener = {
    toolsChanged: () => void server.sendToolListChanged().catch(report),
    resourceUpdated: (uri: string) => {
      if (era === 'modern' || subscribed.has(uri)) void server.sendResourceUpdated({ uri }).catch(report);
    },
  };
  world.listeners.add(listener);
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's Server is no EventTarget.
  server.onclose = () => world.listeners.delete(listener);
}

function answer(connection: Connection, method: string, params: Obj, ctx: ServerContext): Obj | Promise<Obj> {
  const { world, subscribed } = connection;
  switch (method) {
    case 'tools/list': {
      const tools = [...richTools, ...world.added.values()].map((each) => each.definition);
      return page('tools', tools, params, world);
    }
    case 'tools/call':
      return callTool(connection, params, ctx);
    case 'resources/list':
      return page('resources', resources, params, world);
    case 'resources/templates/list':
      return page('resourceTemplates', resourceTemplates, params, world);
    case 'resources/read':
      return readResource(String(params['uri']), world);
    case 'resources/subscribe':
      subscribed.add(String(params['uri']));
      return {};
    case 'resources/unsubscribe':
      subscribed.delete(String(params['uri']));
      return {};
    case 'prompts/list':
      return page('prompts', prompts, params, world);
    case 'prompts/get':
      return getPrompt(String(params['name']), (params['arguments'] ?? {}) as Obj); // an object or absent
    case 'completion/complete':
      return complete(params);
    default:
      throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
  }
}

function callTool(connection: Connection, params: Obj, ctx: ServerContext): Obj | Promise<Obj> {
  const name = String(params['name']);
  const found = connection.world.added.get(name) ?? richTools.find((each) => each.definition.name === name);
  if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
  const args = (params['arguments'] ?? {}) as Obj; // an object or absent
  return found.run({ args, ctx, era: connection.era, server: connection.server, world: connection.world });
}

function page(key: string, all: readonly Obj[], params: Obj, world: World): Obj {
  if (world.page === undefined) return { [key]: all };
  const from = Number(params['cursor'] ?? 0);
  const end = from + world.page;
  return {
    [key]: all.slice(from, end),
    ...(end < all.length ? { nextCursor: String(end) } : {}),
  };
}
