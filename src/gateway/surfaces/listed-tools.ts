import type { JsonObject } from '../../base/json.ts';
import { forMcp } from '../../catalog/providers/mcp.ts';
import type { ShownTool } from '../../catalog/providers/shown-tool.ts';
import { parseToolRef } from '../../catalog/tool.ts';
import { visibleTexts } from '../../catalog/visible-texts.ts';
import type { ToolView } from '../../hub/hub.ts';
import { mapUris, namespacedUris } from '../uris.ts';

/** For calls of tools that are listed as themselves. */
export const LISTED = { wholeStructured: true } as const;

export function shownTool(shown: ShownTool): JsonObject {
  const { server } = parseToolRef(shown.tool.ref);
  return mapUris(forMcp(shown), (uri) => namespacedUris.out(server, uri));
}

/** Only schemas that hosts would refuse are fixed, and hidden characters removed. */
export function passedThrough({ definition, schema, flags }: ToolView): JsonObject {
  const whole = schema ? { ...definition, inputSchema: schema } : definition;
  return flags.some(({ kind }) => kind === 'hidden_characters') ? visibleTexts(whole) : whole;
}

/** A stable order: hosts cache the start of their model's prompt. */
export function byServerAndName(a: ToolView, b: ToolView): number {
  if (a.server !== b.server) return a.server < b.server ? -1 : 1;
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
