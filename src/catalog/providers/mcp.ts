import type { JsonObject } from '../../base/json.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool } from './shown-tool.ts';

export function forMcp({ tool, name, description, schema }: ShownTool): JsonObject {
  const fitting = fitName(name, tool.ref, PROVIDER_LIMITS.mcp);
  return { ...tool.definition, name: fitting, description, inputSchema: schema };
}
