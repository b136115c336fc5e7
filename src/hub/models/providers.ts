import type { ModelProvider } from '../../vault/models.ts';

/** What is known of each kind of provider; free of everything that needs a hub. */
export interface ProviderFacts {
  readonly title: string;
  readonly url?: string;
  readonly needsKey: boolean;
  /** The environment variables in which programs look for its key. */
  readonly variables: readonly string[];
}

export const PROVIDERS: Readonly<Record<ModelProvider, ProviderFacts>> = {
  openai: {
    title: 'OpenAI',
    url: 'https://api.openai.com/v1',
    needsKey: true,
    variables: ['OPENAI_API_KEY'],
  },
  anthropic: {
    title: 'Anthropic',
    url: 'https://api.anthropic.com/v1',
    needsKey: true,
    variables: ['ANTHROPIC_API_KEY'],
  },
  google: {
    title: 'Google',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    needsKey: true,
    variables: ['GEMINI_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  },
  compatible: { title: 'OpenAI-compatible', needsKey: false, variables: [] },
};

export interface LocalServer {
  readonly title: string;
  readonly url: string;
  readonly start: string;
}

/** Programs that serve models on this machine, by the word for them. */
export const LOCAL: Readonly<Record<string, LocalServer>> = {
  ollama: { title: 'Ollama', url: 'http://127.0.0.1:11434/v1', start: 'ollama serve' },
  lmstudio: { title: 'LM Studio', url: 'http://127.0.0.1:1234/v1', start: 'lms server start' },
  vllm: { title: 'vLLM', url: 'http://127.0.0.1:8000/v1', start: 'vllm serve MODEL' },
};

export function isProvider(word: string): word is ModelProvider {
  return Object.hasOwn(PROVIDERS, word);
}

export function localServer(word: string): LocalServer | undefined {
  return Object.hasOwn(LOCAL, word) ? LOCAL[word] : undefined;
}

export function localServerAt(address: URL): LocalServer | undefined {
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(address.hostname);
  return isHere ? Object.values(LOCAL).find(({ url }) => new URL(url).port === address.port) : undefined;
}

export const modelLimits = {
  modelsMax: 200,
  /** A local model may have to be loaded before it says anything. */
  firstByteMs: 5 * 60_000,
  /** A model that thinks is silent for long. */
  idleMs: 5 * 60_000,
  answerBytesMax: 64 * 1024 * 1024,
  eventBytesMax: 8 * 1024 * 1024,
  offeredMs: 15_000,
  offeredMax: 1_000,
  modelCharsMax: 256,
  urlCharsMax: 2_048,
  contextTokensMax: 1_000_000_000,
  priceMax: 1_000_000,
} as const;
