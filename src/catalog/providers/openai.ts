import type { JsonObject } from '../../base/json.ts';
import { adaptSchema } from './adapt-schema.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool } from './shown-tool.ts';

interface OpenAiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  /** Strict mode wants every field required and nothing else allowed, which MCP servers do not offer. */
  readonly strict: false;
}

/** As the Responses API takes it; there, leaving `strict` out would switch it on. */
export type OpenAiTool = { readonly type: 'function' } & OpenAiFunction;
/** As chat completions take it. */
export interface OpenAiChatTool {
  readonly type: 'function';
  readonly function: OpenAiFunction;
}

/** OpenAI, “Function calling”: the two APIs want the same function in two shapes. */
export function forOpenAi(shown: ShownTool): OpenAiTool {
  return { type: 'function', ...functionOf(shown) };
}

export function forOpenAiChat(shown: ShownTool): OpenAiChatTool {
  return { type: 'function', function: functionOf(shown) };
}

function functionOf({ tool, name, description, schema }: ShownTool): OpenAiFunction {
  const adapted = adaptSchema(schema, PROVIDER_LIMITS.openai);
  return {
    name: fitName(name, tool.ref, PROVIDER_LIMITS.openai),
    description: [description, ...adapted.lost].join(' '),
    parameters: adapted.schema,
    strict: false,
  };
}
