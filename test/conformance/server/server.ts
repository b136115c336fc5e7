import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { askingTools } from './asking-tools.ts';
import { flowTools } from './flow-tools.ts';
import { formTools } from './form-tools.ts';
import { extraTool, plainTools } from './plain-tools.ts';
import { extraPrompt, prompts } from './prompts.ts';
import { states } from './questions.ts';
import { readResource, resources, resourceTemplates } from './resources.ts';
import type { FixturePrompt, FixtureTool } from './tool.ts';
import type { Listener, World } from './world.ts';

const TOOLS: readonly FixtureTool[] = [...plainTools, ...flowTools, ...askingTools, ...formTools];

/** The server that the official suite wants to see: one connection, or one modern request. */
export function conformanceServer(world: World, { listens }: { readonly listens: boolean }): Server {
  const server = new Server(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      requestState: { verify: (state, ctx) => states.verify(state, ctx) },
    },
  );
  offerTools(server, world);
  offerPrompts(server, world);
  offerResources(server);
  if (listens) listen(server, world);
  return server;
}

function offerTools(server: Server, world: World): void {
  const all = (): readonly FixtureTool[] => (world.extraTool ? [...TOOLS, extraTool] : TOOLS);
  server.setRequestHandler('tools/list', () => ({ tools: all().map(({ definition }) => definition) }));
  server.setRequestHandler('tools/call', ({ params }, ctx) => {
    const found = all().find(({ definition }) => definition.name === params.name);
    if (!found) throw unknown('tool', params.name);
    return found.run({ args: params.arguments ?? {}, ctx, server, world });
  });
}

function offerPrompts(server: Server, world: World): void {
  const all = (): readonly FixturePrompt[] => (world.extraPrompt ? [...prompts, extraPrompt] : prompts);
  server.setRequestHandler('prompts/list', () => ({ prompts: all().map(({ definition }) => definition) }));
  server.setRequestHandler('prompts/get', ({ params }, ctx) => {
    const found = all().find(({ definition }) => definition.name === params.name);
    if (!found) throw unknown('prompt', params.name);
    return found.run({ args: params.arguments ?? {}, ctx, server, world });
  });
  server.setRequestHandler('completion/complete', ({ params }) => {
    const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(params.argument.value));
    return { completion: { values, total: values.length, hasMore: false } };
  });
}

function offerResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: [...resources] }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [...resourceTemplates] }));
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri));
  // Nothing here changes, so that there is nothing to remember either.
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function listen(server: Server, world: World): void {
  const report = (error: unknown): void => console.error(`could not notify: ${String(error)}`);
  const listener: Listener = {
    toolsChanged: () => void server.sendToolListChanged().catch(report),
    promptsChanged: () => void server.sendPromptListChanged().catch(report),
  };
  world.listeners.add(listener);
  server.onclose = () => world.listeners.delete(listener);
}

function unknown(what: string, name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown ${what}: ${name}`);
}
