import type { LanguageModel } from 'ai';
import type { ModelProvider, OpenModel } from '../hub/hub.ts';

/** A model as the AI SDK speaks to it. The key is no part of it: the hub's `fetch` sets it on the way out. */
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

/** Without one the SDK looks for a key in the environment, which is not ours to read. */
const KEY_IS_SET_LATER = 'set-by-the-hub';

/** Conversations are the user's: nobody is asked to keep them. */
export const PROVIDER_OPTIONS = { openai: { store: false } } as const;

/** Whether a tool's result may hold pictures; to the others they are only named. */
export function takesPictures(provider: ModelProvider): boolean {
  return provider !== 'compatible';
}
