import type { OwnerId } from '../servers/store.ts';

/** `compatible` is whatever speaks OpenAI's chat completions: Ollama, LM Studio, vLLM and others. */
export type ModelProvider = 'openai' | 'anthropic' | 'google' | 'compatible';

/** A model as it is kept. Its key is not here: it is in the vault, under `modelKeyName`. */
export interface StoredModel {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly model: string;
  readonly url?: string;
  readonly contextTokens?: number;
  readonly price?: { readonly input: number; readonly output: number };
  readonly createdAt: number;
  /**
   * Grows with every choice of a default: the greatest is the default, else the oldest model. So a
   * choice is one row, and nobody has to promote anything when the default goes.
   */
  readonly chosen?: number;
}

export interface ModelStore {
  /** Sorted by name. */
  listModels(owner: OwnerId): Promise<readonly StoredModel[]>;
  /** Adds it, or replaces the one of that name. */
  putModel(owner: OwnerId, model: StoredModel): Promise<void>;
  /** False when there was none. */
  deleteModel(owner: OwnerId, name: string): Promise<boolean>;
}

/**
 * The secret that is the key of a model at an address. The address is part of the name, so that a
 * model which is moved elsewhere leaves its key behind instead of taking it to somebody else. And no
 * server can be called so: none may ask for the key, and none takes it along when it is removed.
 */
export function modelKeyName(model: string, address: URL): string {
  return `${modelKeyPrefix(model)}${address.protocol}${address.host.replaceAll(/[[\]]/g, '_')}`;
}

/** How the names of all keys of a model begin, at whatever address. */
export function modelKeyPrefix(model: string): string {
  return `model:${model}/`;
}
