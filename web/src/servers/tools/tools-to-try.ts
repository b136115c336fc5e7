import { isObject } from '../../../../src/base/json.ts';
import type { ToolAudit } from '../../hub/hub-context.tsx';
import type { AuditedTool } from './tool-list.ts';

/**
 * The tools that a new server is best tried with: they only read, and need the least typing. A server that
 * isn't trusted is believed this far: a person looks at the form before anything runs.
 */
export function toolsToTry(audit: ToolAudit | undefined): readonly AuditedTool[] {
  const server = audit?.servers[0];
  if (!server) return [];
  const withheld = new Set(server.withheld.map(({ ref }) => ref));
  return server.tools
    .filter((tool) => reads(tool) && tool.flags.length === 0 && !withheld.has(tool.ref))
    .toSorted((a, b) => requiredOf(a) - requiredOf(b) || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN_MAX);
}

const SHOWN_MAX = 3;

function reads({ risk, definition: { annotations } }: AuditedTool): boolean {
  return (
    risk === 'read' || (risk === 'unknown' && isObject(annotations) && annotations['readOnlyHint'] === true)
  );
}

function requiredOf({ schema, definition }: AuditedTool): number {
  const given = schema ?? definition['inputSchema'];
  const required = isObject(given) ? given['required'] : undefined; // a server may send anything
  return Array.isArray(required) ? required.length : 0;
}
