import { CatalogSearch } from './search/catalog-search.ts';
import type { Tool } from './tool.ts';

/** The tools that fit, best first: exact names, then what the words of the query say. */
export function searchTools(
  tools: readonly Tool[],
  query: string,
  options: SearchToolsOptions = {},
): readonly Tool[] {
  const { keeper, describe } = options;
  return searchOf(keeper).search(tools, query, describe);
}

export interface SearchToolsOptions {
  /** Who searches again: the index lives as long as this object. */
  readonly keeper?: object;
  /** What a server says of itself, by its id. */
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
