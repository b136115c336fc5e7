import { toPlugError, type PlugError } from '../base/errors.ts';
import { didYouMean, suggest } from '../base/suggest.ts';
import type { Hub, ToolView } from '../hub/hub.ts';
import { userError } from './failures.ts';
import { unknownServer } from './session.ts';

/** The tool from the manifest. A server that never connected has none: it is started, as by the call. */
export async function findTool(hub: Hub, ref: string, signal: AbortSignal): Promise<ToolView | undefined> {
  const server = serverOf(ref);
  if (server === undefined) return undefined;
  const known = await toolsOf(hub, server);
  const found = known.find((tool) => tool.ref === ref);
  if (found || known.length > 0) return found;
  const view = await viewOf(hub, server);
  if (view === undefined || view.serverInfo !== undefined || !view.enabled) return undefined;
  await hub.servers.start({ id: server }, { signal });
  return (await toolsOf(hub, server)).find((tool) => tool.ref === ref);
}

/** Any form in which hosts and models write a tool, as `server/tool`; other words stay as they are. */
export async function canonicalRef(hub: Hub, typed: string): Promise<string> {
  if (typed.includes('/')) return typed;
  const ids = new Set((await hub.servers.list()).servers.map(({ id }) => id));
  if (ids.has(typed)) return typed;
  const { hashOfName, splitName } = await import('../catalog/names.ts');
  const split = splitName(typed);
  if (split && ids.has(split.server)) return `${split.server}/${split.tool}`;
  if (hashOfName(typed) === undefined) return typed;
  const { tools, withheld } = await hub.tools.list();
  const names = await Promise.all([...tools, ...withheld].map(formsOf));
  return names.find(({ forms }) => forms.includes(typed))?.ref ?? typed;
}

export async function formsOf({ ref, server, name }: Pick<ToolView, 'ref' | 'server' | 'name'>): Promise<{
  readonly ref: string;
  readonly forms: readonly string[];
}> {
  const { nameForms, renderName } = await import('../catalog/names.ts');
  return { ref, forms: nameForms.map((form) => renderName({ server, tool: name }, form)) };
}

export async function unknownTool(hub: Hub, ref: string): Promise<PlugError> {
  const [{ tools }, { servers }] = await Promise.all([hub.tools.list(), hub.servers.list()]);
  const server = serverOf(ref);
  if (server !== undefined && !servers.some(({ id }) => id === server))
    return suggestTools(ref, tools) ?? unknownServer(server, servers);
  return (
    suggestTools(ref, tools) ??
    userError('not_found', `There is no tool “${ref}”.`, {
      remedy: server === undefined ? { do: 'list-tools' } : { do: 'list-tools', server },
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
  return userError('not_found', `There is no tool “${ref}”. ${didYouMean(near)}`, {
    remedy: server === undefined ? { do: 'list-tools' } : { do: 'list-tools', server },
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
    return await hub.servers.get({ id: server });
  } catch (error) {
    if (toPlugError(error).code === 'not_found') return undefined;
    throw error;
  }
}
