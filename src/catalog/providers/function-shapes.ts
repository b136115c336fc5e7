import type { JsonObject } from '../../base/json.ts';
import { adaptSchema } from './adapt-schema.ts';
import { geminiParameters } from './gemini-schema.ts';
import { PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool } from './shown-tool.ts';

interface Described {
  readonly name: string;
  readonly description: string;
}

interface OpenAiFunction extends Described {
  readonly parameters: JsonObject;
  /** Strict mode wants every field required and nothing else allowed, which MCP servers do not offer. */
  readonly strict: false;
}

/** OpenAI, “Function calling”, as the Responses API takes it; there, leaving `strict` out would switch it on. */
export function forOpenAi(shown: ShownTool): { readonly type: 'function' } & OpenAiFunction {
  const { schema, ...described } = adapted(shown, 'openai');
  return { type: 'function', ...described, parameters: schema, strict: false };
}

/** As chat completions take it. */
export function forOpenAiChat(shown: ShownTool): {
  readonly type: 'function';
  readonly function: OpenAiFunction;
} {
  const { type, ...inside } = forOpenAi(shown);
  return { type, function: inside };
}

/** Anthropic, “Define tools”: a client tool of the Messages API. */
export function forAnthropic(shown: ShownTool): Described & { readonly input_schema: JsonObject } {
  const { schema, ...described } = adapted(shown, 'anthropic');
  return { ...described, input_schema: schema };
}

/** Google, reference of `FunctionDeclaration`. */
export function forGemini({
  tool,
  name,
  description,
  schema,
}: ShownTool): Described & { readonly parameters?: JsonObject } {
  const { parameters, lost } = geminiParameters(schema);
  return {
    name: fitName(name, tool.ref, PROVIDER_LIMITS.gemini),
    description: [description, ...lost].join(' '),
    ...(parameters ? { parameters } : {}),
  };
}

/** What the AI SDK itself hands to a model: the `function` tool of its language model specification. */
export function forAiSdk(
  shown: ShownTool,
): Described & { readonly type: 'function'; readonly inputSchema: JsonObject } {
  const { schema, ...described } = adapted(shown, 'ai-sdk');
  return { type: 'function', ...described, inputSchema: schema };
}

/** What the provider does not take in a schema is said in the description. */
function adapted(
  { tool, name, description, schema }: ShownTool,
  provider: 'openai' | 'anthropic' | 'ai-sdk',
): Described & { readonly schema: JsonObject } {
  const limits = PROVIDER_LIMITS[provider];
  const { schema: fitting, lost } = adaptSchema(schema, limits);
  return {
    name: fitName(name, tool.ref, limits),
    description: [description, ...lost].join(' '),
    schema: fitting,
  };
}
