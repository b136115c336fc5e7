import type { WithheldTool } from '../../../../src/catalog/tool.ts';
import type { ToolAudit } from '../../hub/hub-context.tsx';

export type AuditedTool = ToolAudit['servers'][number]['tools'][number];

/** A tool as the drawer lists it: what is known of it, and why it is not offered, if it is not. */
export interface ListedTool {
  readonly ref: string;
  readonly name: string;
  /** Absent for a tool that its server no longer has. */
  readonly tool?: AuditedTool;
  readonly withheld?: WithheldTool;
}

/** Of a description, in a tool's row. */
export const ABOUT_CHARS = 160;

/** Changed tools first, as they wait for a person; then by name, and those that are gone at the end. */
export function listedTools(audit: ToolAudit | undefined): readonly ListedTool[] {
  const server = audit?.servers[0];
  if (!server) return [];
  const withheld = new Map(server.withheld.map((each) => [each.ref, each]));
  const known = server.tools.map((tool): ListedTool => {
    const why = withheld.get(tool.ref);
    withheld.delete(tool.ref);
    return { ref: tool.ref, name: tool.name, tool, ...(why ? { withheld: why } : {}) };
  });
  const gone = [...withheld.values()].map((why): ListedTool => ({
    ref: why.ref,
    name: why.name,
    withheld: why,
  }));
  return [...known, ...gone].toSorted((a, b) => placeOf(a) - placeOf(b) || (a.name < b.name ? -1 : 1));
}

function placeOf({ withheld, tool }: ListedTool): number {
  if (withheld?.cause === 'changed') return 0;
  return tool === undefined ? 2 : 1;
}

/** Every word must stand in the name, the title or the description. */
export function toolsMatching(tools: readonly ListedTool[], text: string): readonly ListedTool[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return tools;
  return tools.filter(({ name, tool }) => {
    const about = `${name} ${tool?.title ?? ''} ${tool?.description ?? ''}`.toLowerCase();
    return words.every((word) => about.includes(word));
  });
}
