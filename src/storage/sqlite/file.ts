import { chmod, lstat, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject } from '../../base/json.ts';
import { messageOf, PlugError } from '../../base/errors.ts';
import { quotePath } from './quote.ts';

const OWN_FILE = 0o600;
const OWN_FOLDER = 0o700;
const OTHERS = 0o077;

/**
 * Makes sure that the file is there, is a file and is the user's alone, before SQLite opens it.
 * The files that SQLite lays beside it take over its mode. Answers whether it holds anything.
 */
export async function prepareFile(file: string): Promise<'new' | 'existing'> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: OWN_FOLDER });
    await createOwn(file);
    const found = await lstat(file);
    if (found.isSymbolicLink()) throw notAFile(file, 'a symbolic link');
    if (!found.isFile()) throw notAFile(file, 'not a file');
    if ((found.mode & OTHERS) !== 0) await chmod(file, OWN_FILE);
    return found.size === 0 ? 'new' : 'existing';
  } catch (error) {
    throw error instanceof PlugError ? error : notWritable(file, error);
  }
}

/** `wx` never follows a link and never opens what is there. */
async function createOwn(file: string): Promise<void> {
  try {
    const handle = await open(file, 'wx', OWN_FILE);
    await handle.close();
  } catch (error) {
    if (!isObject(error) || error['code'] !== 'EEXIST') throw error;
  }
}

function notAFile(file: string, what: string): PlugError {
  return new PlugError('storage_failed', `The database ${file} is ${what}, so it was not opened.`, {
    owner: 'you',
    next: 'Name the real file, or move it to this place.',
    details: { file },
  });
}

function notWritable(file: string, cause: unknown): PlugError {
  return new PlugError('storage_failed', `The database ${file} cannot be made: ${messageOf(cause)}.`, {
    owner: 'you',
    next: `Check that you may write there: ls -lad ${quotePath(dirname(file))}`,
    details: { file },
    cause,
  });
}
