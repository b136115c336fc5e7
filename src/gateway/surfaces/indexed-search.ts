import { documentOf, serverDescriptionOf } from '../../catalog/search/document.ts';
import { searchMany } from '../../catalog/search/search-many.ts';
import { siblings } from '../../catalog/search/siblings.ts';
import { signature } from '../../catalog/search/signature.ts';
import { ToolIndex } from '../../catalog/search/tool-index.ts';
import type { ToolList, ToolView } from '../../hub/hub.ts';
import { surfaceLimits } from './limits.ts';
import { perList } from './parts.ts';
import type { SurfaceParts, ToolSearch, ToolSearchRequest, ToolsFound } from './parts.ts';

export interface IndexedSearchOptions {
  readonly hub: Pick<SurfaceParts['hub'], 'servers'>;
  readonly tools: () => Promise<ToolList>;
  readonly uses?: SurfaceParts['uses'];
}

/** Built at the first search; only changed servers are re-indexed. */
export function indexedSearch({ hub, tools, uses }: IndexedSearchOptions): ToolSearch {
  const index = new ToolIndex();
  const indexed = new Map<string, readonly ToolView[]>();
  const fill = perList(tools, async (list) => {
    const views = new Map((await hub.servers.list()).servers.map((view) => [view.id, view]));
    const now = Map.groupBy(list.tools, ({ server }) => server);
    for (const id of indexed.keys()) {
      if (now.has(id)) continue;
      index.removeServer(id);
      indexed.delete(id);
    }
    for (const [id, offered] of now) {
      if (isSame(indexed.get(id), offered)) continue;
      const about = serverDescriptionOf(views.get(id) ?? {});
      const documents = offered.map((tool) => documentOf(tool, about));
      index.replaceServer(id, documents);
      indexed.set(id, offered);
    }
  });
  return {
    search: async (request) => {
      await fill();
      return find(index, request, uses);
    },
  };
}

function find(index: ToolIndex, request: ToolSearchRequest, usage: SurfaceParts['uses']): ToolsFound {
  const { queries, within, server, risk } = request;
  const byRef = new Map(within.tools.map((tool) => [tool.ref, tool]));
  const limit = Math.min(request.limit * queries.length, surfaceLimits.linesMax);
  const options = {
    queries,
    server,
    risk,
    limit,
    usage,
    allowed: ({ id }: { readonly id: string }): boolean => byRef.has(id),
  };
  const hits = searchMany(index, options);
  return {
    hits: hits.map(({ document }) => {
      const isFlagged = (byRef.get(document.id)?.flags.length ?? 0) > 0;
      // Flagged tools are found by name; their own words aren't repeated.
      const shown = isFlagged ? { server: document.server, name: document.name } : document;
      return { ref: document.id, line: `${signature(shown)}${isFlagged ? ' (flagged)' : ''}` };
    }),
    siblings: siblings(index, hits, options).flatMap((each) => each.tools.map(({ id }) => id)),
  };
}

function isSame(before: readonly ToolView[] | undefined, now: readonly ToolView[]): boolean {
  return (
    before?.length === now.length &&
    before.every((tool, at) => {
      const other = now[at];
      return (
        tool.definition === other?.definition && tool.schema === other.schema && tool.risk === other.risk
      );
    })
  );
}
