import { PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { readTextFile } from './text-file.ts';

/** Without one trailing line end. */
export async function readValueFile(path: string): Promise<string | undefined> {
  const file = await readTextFile(path, limits.valueFileBytesMax);
  if (file.kind === 'unreadable')
    throw new PlugError('missing_input', `the file cannot be used: ${file.reason}`, { owner: 'you' });
  return file.kind === 'ok' ? file.text.replace(/\r?\n$/, '') : undefined;
}
