import type { OwnerId } from '../servers/store.ts';

/** `compatible` speaks OpenAI's chat completions: Ollama, LM Studio, vLLM and others. */
export type ModelProvider = 'openai' | 'anthropic' | 'google' | 'compatible';

/** A stored model. Its key is in the vault, under `modelKeyName`. */
export interface StoredModel {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly model: string;
  readonly url?: string;
  readonly contextTokens?: number;
  readonly price?: { readonly input: number; readonly output: number };
  readonly createdAt: number;
  /** Grows with every choice of a default: the greatest is the default, else the oldest model. */
  readonly chosen?: number;
}

export interface ModelStore {
  /** Sorted by name. */
  listModels(owner: OwnerId): Promise<readonly StoredModel[]>;
  putModel(owner: OwnerId, model: StoredModel): Promise<void>;
  /** False when there was none. */
  deleteModel(owner: OwnerId, name: string): Promise<boolean>;
}

/** With the address: a model that moves leaves its key behind. No server can have this name. */
export function modelKeyName(model: string, address: URL): string {
  return `${modelKeyPrefix(model)}${address.protocol}${address.host.replaceAll(/[[\]]/g, '_')}`;
}

export function modelKeyPrefix(model: string): string {
  return `model:${model}/`;
}
