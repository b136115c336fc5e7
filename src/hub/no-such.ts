import { PlugError } from '../base/errors.ts';
import { didYouMean, suggest } from '../base/suggest.ts';

/** With the names that are known, near ones are suggested. */
export function noSuch(
  what: 'host' | 'model' | 'profile',
  name: string,
  known?: readonly string[],
): PlugError {
  const suggestions = known && suggest(name, known);
  const message = `There is no ${what} “${name.slice(0, 80)}”. ${didYouMean(suggestions ?? [])}`;
  return new PlugError('not_found', message.trimEnd(), {
    owner: 'you',
    remedy: { do: 'show', what: `${what}s` },
    ...(suggestions ? { details: { suggestions } } : {}),
  });
}
