import type { JsonObject } from '../../base/json.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool } from './shown-tool.ts';

export function forMcp({ tool, name, description, schema }: ShownTool): JsonObject {
  return {
    ...tool.definition,
    name: fitName(name, tool.ref, PROVIDER_LIMITS.mcp),
    description,
    inputSchema: schema,
  };
}
