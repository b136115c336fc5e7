import type { NameForm } from '../../catalog/names.ts';
import { documentOf } from '../../catalog/search/document.ts';
import { signature } from '../../catalog/search/signature.ts';
import type { ToolView } from '../../hub/hub.ts';
import { surfaceLimits } from './limits.ts';
import type { SurfaceParts, ToolSearch } from './parts.ts';

export interface IndexedSearchOptions {
  readonly hub: { readonly tools: Pick<SurfaceParts['hub']['tools'], 'search'> };
  readonly uses?: SurfaceParts['uses'];
}

/** The hub's one search, with its hits as a model reads them. */
export function indexedSearch({ hub, uses: usage }: IndexedSearchOptions): ToolSearch {
  return {
    search: async ({ names, ...request }) => {
      const limit = Math.min(request.limit * request.queries.length, surfaceLimits.linesMax);
      const { hits, siblings, unread } = await hub.tools.search({
        ...request,
        limit,
        ...(usage ? { usage } : {}),
      });
      return { hits: hits.map((tool) => ({ ref: tool.ref, line: lineOf(tool, names) })), siblings, unread };
    },
  };
}

/** Flagged tools are found by name; their own words aren't repeated. */
function lineOf(tool: ToolView, names: NameForm | undefined): string {
  const { server, name, flags } = tool;
  return flags.length === 0
    ? signature(documentOf(tool), names)
    : `${signature({ server, name }, names)} (flagged)`;
}
