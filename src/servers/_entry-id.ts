import { PlugError } from '../base/errors.ts';
import { isServerId } from './definition.ts';

export interface EntryName {
  readonly id: string;
  /** Set when the id had to be derived: the name as it stands in the file. */
  readonly original?: string;
}

/**
 * An entry's name becomes the server's id as it is, or with spaces, slashes and capitals
 * made plain: “My Server” is `my-server`. A name that would lose more than that, or that
 * would meet another entry's id, is refused rather than guessed.
 */
export function idOfEntry(key: string, allKeys: readonly string[] = [key]): EntryName {
  if (isServerId(key)) return { id: key };
  const id = slugOf(key);
  if (id === undefined) throw refused(key);
  const twin = allKeys.find((other) => other !== key && (other === id || slugOf(other) === id));
  if (twin !== undefined) throw refused(key, `it would share the id “${id}” with “${shown(twin)}”`);
  return { id, original: key };
}

const PLAIN = /^@?[A-Za-z0-9][A-Za-z0-9 ._/()+&:@-]*$/;

function slugOf(key: string): string | undefined {
  if (isServerId(key)) return key;
  if (key.length > 64 || !PLAIN.test(key) || key.includes('..')) return undefined;
  const id = key
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+/, '')
    .replace(/-+$/, '');
  return isServerId(id) ? id : undefined;
}

function refused(key: string, why = 'it cannot be made into an id'): PlugError {
  return new PlugError('bad_config', `“${shown(key)}” cannot be a server's name: ${why}.`, {
    owner: 'you',
    next: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.',
    details: { field: 'name' },
  });
}

/** Names come from files that others wrote: control characters are shown, not printed. */
function shown(key: string): string {
  return JSON.stringify(key.slice(0, 80)).slice(1, -1);
}
