import { PlugError } from '../../../src/base/errors.ts';
import { isObject, type JsonObject } from '../../../src/base/json.ts';

const BYTES_MAX = 50 * 1024 * 1024;

/** The file as an object; what is in it is for the hub to judge. */
export async function readBackup(file: File | undefined): Promise<JsonObject | undefined> {
  if (file === undefined) return undefined;
  if (file.size > BYTES_MAX) throw notBackup('It is larger than any backup.');
  try {
    const read: unknown = JSON.parse(await file.text());
    if (isObject(read)) return read as JsonObject; // it was parsed from JSON
  } catch (cause) {
    throw notBackup('It is not JSON.', cause);
  }
  throw notBackup('It holds no backup.');
}

function notBackup(why: string, cause?: unknown): PlugError {
  return new PlugError('usage', `This file can’t be restored. ${why}`, {
    owner: 'you',
    remedy: { do: 'say', text: 'Choose a file that Plugboard created.' },
    cause,
  });
}
