import { lineOf, shorten } from '../../catalog/about-server.ts';
import type { ToolList } from '../../hub/hub.ts';
import type { KnownTools } from './known-tools.ts';
import { surfaceLimits } from './limits.ts';
import type { ToolSearchRequest, ToolsFound } from './parts.ts';

/** What `search_tools` answers: a line for each hit, then names of what the same servers offer besides. */
export function foundText(
  { hits, siblings }: ToolsFound,
  request: ToolSearchRequest,
  known: KnownTools,
): string {
  const lines = hits
    .filter(({ ref }) => known.tool(ref) !== undefined)
    .slice(0, surfaceLimits.linesMax)
    .map(({ line }) => line);
  const missing = missingText(known.list.unavailable, request.server);
  if (lines.length === 0) {
    const nothing = 'No tool fits. Say it in other words, or shorter.';
    return missing === '' ? nothing : `${nothing}\n${missing}`;
  }
  const shown = new Set(hits.map(({ ref }) => ref));
  const beside = siblingsText(
    siblings.filter((ref) => !shown.has(ref)),
    known,
  );
  return [...lines, ...(beside === '' ? [] : [beside])].join('\n');
}

/** Names alone: whoever wants one reads its schema. Each server's beginning is written once. */
function siblingsText(siblings: readonly string[], known: KnownTools): string {
  const byServer = Map.groupBy(
    siblings.flatMap((ref) => known.tool(ref) ?? []).filter(({ flags }) => flags.length === 0),
    ({ server }) => server,
  );
  const lines: string[] = [];
  let left: number = surfaceLimits.siblingCharsMax;
  for (const [server, tools] of byServer) {
    const names: string[] = [];
    for (const tool of tools) {
      const name = known.nameOf(tool);
      const shown = name === `${server}__${tool.name}` ? tool.name : name;
      left -= shown.length + 2;
      if (left < 0) break;
      names.push(shown);
    }
    if (names.length > 0) lines.push(`Also ${server}__: ${names.join(', ')}`);
  }
  return lines.join('\n');
}

/** Whoever finds nothing may be looking for what a server that is missing now would offer. */
function missingText(unavailable: ToolList['unavailable'], server: string | undefined): string {
  const missing = unavailable.filter((each) => server === undefined || each.server === server);
  const lines = missing.slice(0, surfaceLimits.missingServersShown).map(({ server: id, state }) => {
    const next = state.next === undefined ? '' : ` Next: ${shorten(lineOf(state.next), NEXT_CHARS_MAX)}`;
    return `- ${id}: ${shorten(lineOf(state.reason), REASON_CHARS_MAX)}${next}`;
  });
  return lines.length === 0 ? '' : ['Not available now:', ...lines].join('\n');
}

const REASON_CHARS_MAX = 160;
const NEXT_CHARS_MAX = 120;
