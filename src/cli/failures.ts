import { PlugError, type ErrorCode } from '../base/errors.ts';
import type { Remedy } from '../base/remedy.ts';
import { didYouMean, suggest } from '../base/suggest.ts';

/** A command line that cannot be meant so, and one that can. */
export function usage(message: string, line?: string): PlugError {
  return new PlugError('usage', message, {
    owner: 'you',
    ...(line === undefined ? {} : { remedy: { do: 'type', line } }),
  });
}

/** The person said no, or stopped it. */
export function cancelled(message: string): PlugError {
  return new PlugError('cancelled', message, { owner: 'you' });
}

interface UnknownWord {
  readonly word: string;
  readonly known: readonly string[];
  readonly remedy: Remedy;
  /** `not_found` unless the word belongs to the grammar. */
  readonly code?: ErrorCode;
}

/** A word that names nothing: the sentence, and which names are near. */
export function unknownWord(message: string, given: UnknownWord): PlugError {
  const { word, known, remedy, code = 'not_found' } = given;
  const near = suggest(word, known);
  return new PlugError(code, `${message} ${didYouMean(near)}`.trim(), {
    owner: 'you',
    remedy,
    details: { suggestions: near },
  });
}
