import type { JsonObject } from '../../base/json.ts';
import type { TokenCounter } from './token-counter.ts';

/**
 * What it costs a model to be shown these tools, each in its provider's shape. Providers write
 * definitions into the prompt in ways of their own; the JSON is what they are made from.
 */
export function countToolTokens(
  counter: Pick<TokenCounter, 'tryCount'>,
  rendered: readonly JsonObject[],
  options: { readonly signal?: AbortSignal } = {},
): Promise<readonly (number | undefined)[]> {
  return counter.tryCount(
    rendered.map((tool) => JSON.stringify(tool)),
    options,
  );
}
