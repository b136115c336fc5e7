import type { JsonObject } from '../../base/json.ts';
import type { TokenCounter } from './token-counter.ts';

/** Tokens of the rendered tools; their JSON is what providers build prompts from. */
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
