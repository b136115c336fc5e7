import { PlugError, type ErrorCode, type PlugErrorOptions } from '../base/errors.ts';
import type { Remedy } from '../base/remedy.ts';
import { didYouMean, suggest } from '../base/suggest.ts';

export function userError(
  code: ErrorCode,
  message: string,
  more: Omit<PlugErrorOptions, 'owner'> = {},
): PlugError {
  return new PlugError(code, message, { owner: 'you', ...more });
}

export function usage(message: string, line?: string, details?: PlugErrorOptions['details']): PlugError {
  const remedy = line === undefined ? undefined : ({ do: 'type', line } as const);
  return userError('usage', message, { remedy, ...(details ? { details } : {}) });
}

export function cancelled(message: string): PlugError {
  return userError('cancelled', message);
}

interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
  readonly remedy: Remedy;
  /** `not_found` unless the word belongs to the grammar. */
  readonly code?: ErrorCode;
}

export function unknownWord(message: string, given: UnknownWord): PlugError {
  const { word, known, remedy, code = 'not_found' } = given;
  const near = suggest(word, known);
  return userError(code, `${message} ${didYouMean(near)}`.trim(), { remedy, details: { suggestions: near } });
}
