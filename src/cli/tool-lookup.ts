import { defined } from '../base/defined.ts';
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
  const view = await ifFound(hub.servers.get({ id: server }));
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
  const near = nearTools(ref, tools);
  const isUnknownServer = server !== undefined && !servers.some(({ id }) => id === server);
  if (near.length === 0 && isUnknownServer) return unknownServer(server, servers);
  return userError('not_found', `There is no tool “${ref}”. ${didYouMean(near)}`.trim(), {
    remedy: { do: 'list-tools', ...defined({ server }) },
    details: { suggestions: near },
  });
}

function nearTools(ref: string, tools: readonly ToolView[]): readonly string[] {
  const server = serverOf(ref);
  // Within a known server the tool's own name counts, or its long prefix would make all names near.
  const own = tools.filter((tool) => tool.server === server).map(({ name }) => name);
  const refs = tools.map((tool) => tool.ref);
  if (own.length === 0) return suggest(ref, refs);
  return suggest(ref.slice(ref.indexOf('/') + 1), own).map((name) => `${server}/${name}`);
}

function serverOf(ref: string): string | undefined {
  const slash = ref.indexOf('/');
  return slash > 0 ? ref.slice(0, slash) : undefined;
}

async function toolsOf(hub: Hub, server: string): Promise<readonly ToolView[]> {
  return (await ifFound(hub.tools.list({ server })))?.tools ?? []; // the call itself says so, with names
}

async function ifFound<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found;
  } catch (error) {
    if (toPlugError(error).code === 'not_found') return undefined;
    throw error;
  }
}
