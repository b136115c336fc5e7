import { defined } from '../../base/defined.ts';
import type { JsonObject } from '../../base/json.ts';
import { forMcp } from './mcp.ts';
import { type Provider, PROVIDER_LIMITS } from './provider-limits.ts';
import { fitName, type ShownTool, suffixName } from './shown-tool.ts';
import { adaptSchema } from './adapt-schema.ts';
import { geminiParameters } from './gemini-schema.ts';

interface Rendering {
  readonly tools: readonly JsonObject[];
  /** Name as rendered → canonical name. */
  readonly names: Readonly<Record<string, string>>;
  readonly omitted: readonly { readonly ref: string; readonly reason: string }[];
}

interface RenderOptions {
  readonly openAi?: 'responses' | 'chat';
}

export function renderTools(
  shown: readonly ShownTool[],
  provider: Provider,
  { openAi = 'responses' }: RenderOptions = {},
): Rendering {
  const limits = PROVIDER_LIMITS[provider];
  const names = new Map<string, string>();
  const offered = shown.slice(0, limits.toolsMax);
  const tools = offered.map((each) => {
    const fitting = fitName(each.name, each.tool.ref, limits);
    const name = names.has(fitting) ? suffixName(fitting, each.tool.ref, limits.nameCharsMax) : fitting;
    names.set(name, each.tool.ref);
    return renderOne({ ...each, name }, provider, openAi);
  });
  const omitted = shown.slice(offered.length).map(({ tool }) => ({
    ref: tool.ref,
    reason: `The provider takes no more than ${limits.toolsMax} tools at once.`,
  }));
  return { tools, names: Object.fromEntries(names), omitted };
}

function renderOne(shown: ShownTool, provider: Provider, openAi: 'responses' | 'chat'): JsonObject {
  const rendered =
    provider === 'openai' && openAi === 'chat' ? forOpenAiChat(shown) : SHAPES[provider](shown);
  return { ...rendered };
}

const SHAPES: Readonly<Record<Provider, (shown: ShownTool) => object>> = {
  openai: forOpenAi,
  anthropic: forAnthropic,
  gemini: forGemini,
  'ai-sdk': forAiSdk,
  mcp: forMcp,
};

interface Described {
  readonly name: string;
  readonly description: string;
}

interface OpenAiFunction extends Described {
  readonly parameters: JsonObject;
  /** Strict mode requires every field, which MCP servers don't offer. */
  readonly strict: false;
}

/** OpenAI, “Function calling”: without `strict`, the Responses API would switch it on. */
export function forOpenAi(shown: ShownTool): { readonly type: 'function' } & OpenAiFunction {
  const { schema, ...described } = adapted(shown, 'openai');
  return { type: 'function', ...described, parameters: schema, strict: false };
}

export function forOpenAiChat(shown: ShownTool): {
  readonly type: 'function';
  readonly function: OpenAiFunction;
} {
  const { type, ...inside } = forOpenAi(shown);
  return { type, function: inside };
}

/** Anthropic, “Define tools”. */
export function forAnthropic(shown: ShownTool): Described & { readonly input_schema: JsonObject } {
  const { schema, ...described } = adapted(shown, 'anthropic');
  return { ...described, input_schema: schema };
}

/** Google, `FunctionDeclaration`. */
export function forGemini(shown: ShownTool): Described & { readonly parameters?: JsonObject } {
  const { parameters, lost } = geminiParameters(shown.schema);
  const name = fitName(shown.name, shown.tool.ref, PROVIDER_LIMITS.gemini);
  return { name, description: [shown.description, ...lost].join(' '), ...defined({ parameters }) };
}

/** The `function` tool of the SDK's language model specification. */
export function forAiSdk(
  shown: ShownTool,
): Described & { readonly type: 'function'; readonly inputSchema: JsonObject } {
  const { schema, ...described } = adapted(shown, 'ai-sdk');
  return { type: 'function', ...described, inputSchema: schema };
}

function adapted(
  { tool, name, description, schema }: ShownTool,
  provider: 'openai' | 'anthropic' | 'ai-sdk',
): Described & { readonly schema: JsonObject } {
  const limits = PROVIDER_LIMITS[provider];
  const { schema: fitting, lost } = adaptSchema(schema, limits);
  const fitted = fitName(name, tool.ref, limits);
  return { name: fitted, description: [description, ...lost].join(' '), schema: fitting };
}
