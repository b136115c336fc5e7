import type { Tool } from './tool.ts';
import { documentOf } from './search/document.ts';
import { searchLimits } from './search/limits.ts';
import { ToolIndex } from './search/tool-index.ts';

export function searchTools(
  tools: readonly Tool[],
  query: string,
  options: SearchToolsOptions = {},
): readonly Tool[] {
  const { keeper, describe } = options;
  return searchOf(keeper).search(tools, query, describe);
}

export interface SearchToolsOptions {
  /** The index lives as long as this object. */
  readonly keeper?: object;
  readonly describe?: (server: string) => string | undefined;
}

function searchOf(keeper: object | undefined): CatalogSearch {
  const known = keeper && SEARCHES.get(keeper);
  if (known) return known;
  const search = new CatalogSearch();
  if (keeper) SEARCHES.set(keeper, search);
  return search;
}

const SEARCHES = new WeakMap<object, CatalogSearch>();

/** Re-indexes only changed servers. Finds only tools of the given list. */
export class CatalogSearch {
  #index = new ToolIndex();
  #indexed = new Map<string, ReadonlyMap<string, Tool>>();

  get size(): number {
    return this.#index.size;
  }

  search(
    tools: readonly Tool[],
    query: string,
    describe?: (server: string) => string | undefined,
  ): readonly Tool[] {
    if (query.trim() === '') return tools;
    this.#learn(tools, describe);
    const given = new Map(tools.map((tool) => [tool.ref, tool]));
    const allowed = ({ id }: { readonly id: string }): boolean => given.has(id);
    const hits = this.#index.search(query, { allowed, limit: searchLimits.hitsMax });
    const worst = (hits[0]?.score ?? 0) * searchLimits.scoreShareMin;
    return hits.filter(({ score }) => score >= worst).flatMap(({ document }) => given.get(document.id) ?? []);
  }

  #learn(tools: readonly Tool[], describe?: (server: string) => string | undefined): void {
    // Removed servers go with the next fresh start.
    if (this.#index.size > 2 * tools.length + searchLimits.staleToolsMax) {
      this.#index = new ToolIndex();
      this.#indexed = new Map();
    }
    for (const [server, group] of Map.groupBy(tools, (tool) => tool.server)) {
      const known = this.#indexed.get(server);
      // A profile may show fewer tools of a server.
      const isSame = ({ ref, definition, risk }: Tool): boolean =>
        known?.get(ref)?.definition === definition && known.get(ref)?.risk === risk;
      if (group.every(isSame)) continue;
      const about = describe?.(server);
      this.#index.replaceServer(
        server,
        group.map((tool) => documentOf(tool, about)),
      );
      this.#indexed.set(server, new Map(group.map((tool) => [tool.ref, tool])));
    }
  }
}
