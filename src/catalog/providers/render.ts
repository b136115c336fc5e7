import type { JsonObject } from '../../base/json.ts';
import { forAiSdk, forAnthropic, forGemini, forOpenAi, forOpenAiChat } from './function-shapes.ts';
import { forMcp } from './mcp.ts';
import { PROVIDER_LIMITS, type Provider } from './provider-limits.ts';
import { fitName, suffixName, type ShownTool } from './shown-tool.ts';

export interface Rendering {
  /** In the provider's own shape. */
  readonly tools: readonly JsonObject[];
  /** Name as rendered → canonical name. */
  readonly names: Readonly<Record<string, string>>;
  /** Tools that the provider would refuse, each with a sentence. */
  readonly omitted: readonly { readonly ref: string; readonly reason: string }[];
}

export interface RenderOptions {
  /** OpenAI has two shapes; default is that of the Responses API. */
  readonly openAi?: 'responses' | 'chat';
}

/** Renders a list for one provider: every name fits and is there once. */
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
  switch (provider) {
    case 'openai':
      return { ...(openAi === 'chat' ? forOpenAiChat(shown) : forOpenAi(shown)) } as JsonObject; // made of JSON
    case 'anthropic':
      return { ...forAnthropic(shown) };
    case 'gemini':
      return { ...forGemini(shown) };
    case 'ai-sdk':
      return { ...forAiSdk(shown) };
    case 'mcp':
      break;
  }
  return forMcp(shown);
}
