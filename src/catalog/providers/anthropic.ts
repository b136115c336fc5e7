import type { JsonObject } from '../../base/json.ts';
import { adaptSchema } from './adapt-schema.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool } from './shown-tool.ts';

export interface AnthropicTool {
  readonly name: string;
  readonly description: string;
  readonly input_schema: JsonObject;
}

/** Anthropic, “Define tools”: a client tool of the Messages API. */
export function forAnthropic({ tool, name, description, schema }: ShownTool): AnthropicTool {
  const adapted = adaptSchema(schema, PROVIDER_LIMITS.anthropic);
  return {
    name: fitName(name, tool.ref, PROVIDER_LIMITS.anthropic),
    description: [description, ...adapted.lost].join(' '),
    input_schema: adapted.schema,
  };
}
