import type { ModelProvider } from '../hub/hub-context.tsx';

/** Who has models, as a person would say it. */
export const PROVIDERS: Readonly<
  Record<ModelProvider, { readonly label: string; readonly needsUrl: boolean; readonly needsKey: boolean }>
> = {
  anthropic: { label: 'Anthropic', needsUrl: false, needsKey: true },
  openai: { label: 'OpenAI', needsUrl: false, needsKey: true },
  google: { label: 'Google', needsUrl: false, needsKey: true },
  compatible: { label: 'Another, or on this machine', needsUrl: true, needsKey: false },
};

export const PROVIDER_CHOICES = (Object.keys(PROVIDERS) as ModelProvider[]) // its own keys
  .map((value) => ({ value, label: PROVIDERS[value].label }));
