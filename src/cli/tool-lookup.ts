import { PlugError, toPlugError } from '../base/errors.ts';
import type { Hub, ToolView } from '../hub/hub.ts';
import { unknownServer } from './session.ts';
import { didYouMean, suggest } from '../base/suggest.ts';

/**
 * The tool by its reference, from the manifest. A server that was never connected has none
 * yet, and the call would start it anyway: it is started now, so that its schema is known.
 */
export async function findTool(hub: Hub, ref: string, signal: AbortSignal): Promise<ToolView | undefined> {
  const server = serverOf(ref);
  if (server === undefined) return undefined;
  const known = await toolsOf(hub, server);
  const found = known.find((tool) => tool.ref === ref);
  if (found || known.length > 0) return found;
  const view = await viewOf(hub, server);
  if (view === undefined || view.serverInfo !== undefined || !view.enabled) return undefined;
  await hub.servers.start(server, { signal });
  return (await toolsOf(hub, server)).find((tool) => tool.ref === ref);
}

/** There is no such tool: says which are near. */
export async function unknownTool(hub: Hub, ref: string): Promise<PlugError> {
  const [{ tools }, { servers }] = await Promise.all([hub.tools.list(), hub.servers.list()]);
  const server = serverOf(ref);
  const ids = servers.map((one) => one.id);
  if (server !== undefined && !ids.includes(server)) {
    return suggestTools(ref, tools) ?? unknownServer(server, ids);
  }
  return (
    suggestTools(ref, tools) ??
    new PlugError('not_found', `There is no tool “${ref}”.`, {
      owner: 'you',
      next: server === undefined ? 'plug tools' : `plug tools ${server}`,
      details: { suggestions: [] },
    })
  );
}

function suggestTools(ref: string, tools: readonly ToolView[]): PlugError | undefined {
  const server = serverOf(ref);
  // Within a known server the tool's own name counts, or its long prefix would make all names near.
  const own = tools.filter((tool) => tool.server === server);
  const near =
    own.length > 0
      ? suggest(
          ref.slice(ref.indexOf('/') + 1),
          own.map((tool) => tool.name),
        ).map((name) => `${server}/${name}`)
      : suggest(
          ref,
          tools.map((tool) => tool.ref),
        );
  if (near.length === 0) return undefined;
  return new PlugError('not_found', `There is no tool “${ref}”. ${didYouMean(near)}`, {
    owner: 'you',
    next: server === undefined ? 'plug tools' : `plug tools ${server}`,
    details: { suggestions: near },
  });
}

function serverOf(ref: string): string | undefined {
  const slash = ref.indexOf('/');
  return slash > 0 ? ref.slice(0, slash) : undefined;
}

async function toolsOf(hub: Hub, server: string): Promise<readonly ToolView[]> {
  try {
    return (await hub.tools.list({ server })).tools;
  } catch (error) {
    if (toPlugError(error).code === 'not_found') return []; // The call itself says so, with names.
    throw error;
  }
}

async function viewOf(
  hub: Hub,
  server: string,
): Promise<Awaited<ReturnType<Hub['servers']['get']>> | undefined> {
  try {
    return await hub.servers.get(server);
  } catch (error) {
    if (toPlugError(error).code === 'not_found') return undefined;
    throw error;
  }
}
