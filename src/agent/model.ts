import { jsonSchema, type JSONSchema7, type LanguageModel, tool, type ToolSet } from 'ai';
import type { ModelProvider, OpenModel } from '../hub/hub.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { adaptSchema } from '../catalog/providers/adapt-schema.ts';
import { restoreArguments } from '../catalog/providers/field-names.ts';
import { PROVIDER_LIMITS } from '../catalog/providers/provider-limits.ts';
import { suffixName } from '../catalog/providers/shown-tool.ts';

/** The key isn't part of the model: the hub's `fetch` adds it. */
export async function languageModel({ view, fetch }: OpenModel): Promise<LanguageModel> {
  const { model, url } = view;
  const common = { apiKey: KEY_IS_SET_LATER, fetch, ...(url === undefined ? {} : { baseURL: url }) };
  switch (view.provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(common).responses(model);
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(common)(model);
    case 'google':
      return (await import('@ai-sdk/google')).createGoogleGenerativeAI(common)(model);
    case 'compatible':
      break;
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
  const options = { ...common, baseURL: url ?? '', name: 'compatible', includeUsage: true };
  return createOpenAICompatible(options)(model);
}

/** Without a key the SDK reads the environment. */
const KEY_IS_SET_LATER = 'set-by-the-hub';

/** Conversations are the user's: the provider must not store them. */
export const PROVIDER_OPTIONS = { openai: { store: false } } as const;

export function takesPictures(provider: ModelProvider): boolean {
  return provider !== 'compatible';
}

/** Tools for the SDK, which runs none of them: every call goes through the hub. */
export interface ShownTools {
  readonly tools: ToolSet;
  readonly own: (name: string, args: JsonObject) => { readonly name: string; readonly args: JsonObject };
}

export function toolSet(definitions: readonly JsonObject[]): ShownTools {
  const limits = PROVIDER_LIMITS['ai-sdk'];
  const schemas = new Map<string, { readonly name: string; readonly schema: JsonObject }>();
  const entries = definitions.map((definition) => {
    const { name, description, inputSchema } = definition;
    const own = typeof name === 'string' ? name : '';
    const schema = isObject(inputSchema) ? inputSchema : { type: 'object' };
    const adapted = adaptSchema(schema, limits);
    const shown = limits.name.test(own) ? own : suffixName(own, own, limits.nameCharsMax);
    schemas.set(shown, { name: own, schema });
    const text = [typeof description === 'string' ? description : '', ...adapted.lost].join(' ').trim();
    // The SDK accepts every JSON Schema.
    const sdkSchema = jsonSchema(adapted.schema as JSONSchema7);
    return [shown, tool({ description: text, inputSchema: sdkSchema })] as const;
  });
  return {
    tools: Object.fromEntries(entries) as ToolSet, // no tool of it is run by the SDK
    own: (name, args) => {
      const known = schemas.get(name);
      return known ? { name: known.name, args: restoreArguments(known.schema, args) } : { name, args };
    },
  };
}
