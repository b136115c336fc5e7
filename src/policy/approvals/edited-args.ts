import { PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { HIDDEN } from '../../base/redact.ts';
import type { ShownArguments } from './changes.ts';

/**
 * A person edits what they see, and secrets they do not see. A masked value that was left as it was
 * stands for the value behind it; a mask anywhere else would be sent as text, so it is refused.
 */
export function unmaskEdited(edited: JsonObject, shown: ShownArguments): JsonObject {
  return restore(edited, shown.args, shown.masked, '') as JsonObject; // an object is restored to an object
}

function restore(edited: Json, args: Json | undefined, masked: Json | undefined, path: string): Json {
  if (typeof edited === 'string') return restoreText(edited, args, masked, path);
  if (typeof edited !== 'object' || edited === null) return edited;
  if (Array.isArray(edited)) {
    return edited.map((item: Json, index) =>
      restore(item, at(args, index), at(masked, index), joined(path, String(index))),
    );
  }
  return Object.fromEntries(
    Object.entries(edited).map(([key, value]: [string, Json | undefined]) => {
      if (key.includes(HIDDEN)) throw maskLeft(joined(path, key));
      return [
        key,
        value === undefined ? value : restore(value, at(args, key), at(masked, key), joined(path, key)),
      ];
    }),
  );
}

function restoreText(edited: string, args: Json | undefined, masked: Json | undefined, path: string): Json {
  if (!edited.includes(HIDDEN)) return edited;
  // Also where the arguments themselves spell the mask: then nothing is hidden behind it.
  if (args !== undefined && edited === masked) return args;
  if (typeof args === 'string' && args.includes(HIDDEN) && args === masked) return edited;
  throw maskLeft(path);
}

function at(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof key === 'number') return Array.isArray(value) ? (value[key] as Json | undefined) : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function maskLeft(path: string): PlugError {
  return new PlugError(
    'bad_arguments',
    `“${path}” was edited but still holds ${HIDDEN}, which hides a secret.`,
    {
      owner: 'you',
      next: 'Leave the field exactly as it was shown, or write its whole value.',
      details: { field: path },
    },
  );
}
