import type { RawTool } from '../connections/manifest.ts';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Profile } from '../servers/profile.ts';
import { selects } from '../servers/select.ts';
import { riskOf } from './risk.ts';
import type { Tool } from './tool.ts';

/** The tools of one server that are offered: filters, profile and read-only mode applied. */
export function offeredTools(
  definition: Pick<ServerDefinition, 'id' | 'tools' | 'readOnly'>,
  tools: readonly RawTool[],
  profile?: Profile,
): readonly Tool[] {
  return tools
    .map((tool) => describeTool(definition.id, tool))
    .filter((tool) => selects(profile, definition, tool));
}

function describeTool(server: string, raw: RawTool): Tool {
  const { title, description } = raw;
  return {
    ref: `${server}/${raw.name}`,
    server,
    name: raw.name,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    risk: riskOf(raw),
    definition: raw,
  };
}
