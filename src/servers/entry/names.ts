import { createHash } from 'node:crypto';
import { PlugError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { isServerId, plainId } from '../definition.ts';

/** Any name becomes an id: “GitHub (work)” is `github-work`, “con” is `server-con`. */
export function idFrom(name: string): string {
  const marked = plainId(`server-${name}`);
  return plainId(name) ?? (marked === undefined || marked === 'server' ? hashedId(name) : marked);
}

/** For names of which no letter can be kept: “日本語”. */
function hashedId(name: string): string {
  return `server-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;
}

/** Names are shown in terminals: no control or direction characters. */
export function displayName(name: string, id: string): string {
  const shown = name
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, limits.serverNameCharsMax)
    .trim();
  return shown === '' ? id : shown;
}

/** In a file of the user's own, a name that would lose its meaning or would collide is refused. */
export function idInFile(key: string, allKeys: readonly string[] = [key]): string {
  if (isServerId(key)) return key;
  const id = slugOf(key);
  if (id === undefined) throw refused(key);
  const twin = allKeys.find((other) => other !== key && (other === id || slugOf(other) === id));
  if (twin !== undefined) throw refused(key, `it would share the id “${id}” with “${shown(twin)}”`);
  return id;
}

const PLAIN = /^@?[\p{L}\p{N}][\p{L}\p{N}\p{M} ._/()+&:@-]*$/u;

function slugOf(key: string): string | undefined {
  if (isServerId(key)) return key;
  if (key.length > 64 || !PLAIN.test(key) || key.includes('..')) return undefined;
  return plainId(key) ?? (/[a-z0-9]/i.test(key) ? undefined : hashedId(key));
}

function refused(key: string, why = 'it cannot be made into an id'): PlugError {
  return new PlugError('bad_config', `“${shown(key)}” cannot be a server's name: ${why}.`, {
    owner: 'you',
    remedy: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.',
    details: { field: 'name' },
  });
}

/** Names from foreign files: control characters are escaped. */
function shown(key: string): string {
  return JSON.stringify(key.slice(0, 80)).slice(1, -1);
}
