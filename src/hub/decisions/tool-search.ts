import type { FoundByQuery } from '../../catalog/learned/recent-searches.ts';
import type { LearnedTerms } from '../../catalog/search.ts';
import { serverDescriptionOf } from '../../catalog/search/document.ts';
import type { Tool } from '../../catalog/tool.ts';
import type { LearnedQuery, ToolSearchAnswer, ToolSearchQuery } from '../calls.ts';
import type { Client } from '../client.ts';
import type { Core } from '../core.ts';
import { serverKey, type Workspace } from '../workspace.ts';

/** Who searches and then calls. Every command in a terminal is a process of its own, but one person. */
function callerOf({ id, kind, principal }: Client, host: string | undefined): string {
  if (kind === 'terminal' || kind === 'page') return `${principal.id} ${kind}`;
  return host === undefined ? `client ${id}` : `host ${host}`;
}

/** All tools that fit, of a list that is made for this search. */
export async function searchList(
  core: Core,
  workspace: Workspace,
  client: Client,
  { tools, query }: { readonly tools: readonly Tool[]; readonly query: string },
): Promise<readonly Tool[]> {
  const searched = { tools, ...(await wordsOf(core, workspace)) };
  // All that fit are shown, so this one waits until all are read.
  await core.decisions.search.read(searched);
  const found = core.decisions.search.search(searched, query);
  remember(core, callerOf(client, undefined), found.byQuery);
  return found.tools;
}

/** For the gateway and for chat, which show the best few. */
export async function findTools(
  core: Core,
  workspace: Workspace,
  client: Client,
  { within, host, ...request }: ToolSearchQuery,
): Promise<ToolSearchAnswer> {
  const searched = { tools: within.tools, ...(await wordsOf(core, workspace)) };
  const { byQuery, ...found } = core.decisions.search.find({ ...request, ...searched });
  remember(core, callerOf(client, host), byQuery);
  return found;
}

async function wordsOf({ decisions: { queries }, pool }: Core, workspace: Workspace) {
  await queries.load();
  const manifestKey = (id: string): string => serverKey(workspace.resolved(id).definition);
  const learned: LearnedTerms = {
    version: queries.version,
    of: (server, tool) => queries.termsOf(manifestKey(server), tool),
  };
  const describe = (id: string): string | undefined => {
    const manifest = pool.manifest(manifestKey(id));
    return manifest && serverDescriptionOf(manifest);
  };
  return { describe, learned };
}

function remember({ decisions: { queries } }: Core, caller: string, found: readonly FoundByQuery[]): void {
  if (found.length === 0) return;
  queries.searched(caller, found);
}

interface Done {
  readonly server: string;
  readonly tool: string;
  readonly isError: boolean;
}

/** A call that succeeds tells what the caller's last search was for. */
export function learnFrom<T extends Done>(
  { decisions: { queries } }: Core,
  workspace: Workspace,
  {
    client,
    host,
    call,
  }: { readonly client: Client; readonly host: string | undefined; readonly call: Promise<T> },
): Promise<T> {
  // Nearly always: the call then costs nothing more.
  if (!queries.isSearched) return call;
  const caller = callerOf(client, host);
  if (!queries.hasSearched(caller)) return call;
  return call.then((done) => {
    const { server, tool, isError } = done;
    if (!isError && workspace.knows(server))
      queries.called(caller, workspace.pooled(workspace.resolved(server)), tool);
    return done;
  });
}

/** What was learned about the tools that are offered now. */
export async function learnedQueries(
  { decisions: { queries, known }, pool }: Core,
  workspace: Workspace,
  { server: id }: { readonly server?: string },
): Promise<readonly LearnedQuery[]> {
  await queries.load();
  const servers = id === undefined ? workspace.servers : [workspace.resolved(id)];
  return servers.flatMap((resolved) => {
    const server = workspace.pooled(resolved);
    const manifest = pool.manifest(server.key);
    if (!manifest) return [];
    return known.offered(server, manifest, undefined).tools.flatMap(({ ref, name }) => {
      const learned = queries.of(server.key, name);
      return learned ? [{ tool: ref, queries: learned.queries }] : [];
    });
  });
}
