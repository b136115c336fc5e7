import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PlugError, messageOf } from '../base/errors.ts';
import { isObject } from '../base/json.ts';
import { limits } from '../base/limits.ts';
import { looksLikeImage } from '../servers/screenshot/image-format.ts';
import { usage, userError } from './failures.ts';
import type { Session } from './session.ts';

export interface PasteInput {
  readonly text: string;
  readonly from: 'words' | 'file' | 'input';
  readonly file?: string;
  /** Of a screenshot: how sure the OCR engine is, 0 to 100. */
  readonly confidence?: number;
}

export async function readPasteFile(given: string, session: Session): Promise<PasteInput> {
  if (given === '-') {
    const bytes = await session.terminal.readBytes(limits.screenshotBytesMax);
    return { from: 'input', ...(await pasteText(bytes, 'Standard input', session)) };
  }
  const file = pathOf(given, session.cwd);
  // The hub reads and checks a bundle itself.
  if (/\.(?:mcpb|dxt)$/i.test(file)) return { from: 'file', file, text: pathToFileURL(file).href };
  return { from: 'file', file, ...(await pasteText(await readBytes(file), file, session)) };
}

/** Whether a word that was typed means a file: it looks like a path, and there is one. */
export async function isPasteFile(word: string, cwd: string): Promise<boolean> {
  if (word.length > PATH_CHARS_MAX || /^[a-z][a-z0-9+.-]*:/i.test(word) || /[\n{}]/.test(word)) return false;
  // A plain word is a wish, even where a file happens to bear its name.
  if (!/[./\\~]/.test(word)) return false;
  try {
    await using file = await open(pathOf(word, cwd));
    return (await file.stat()).isFile();
  } catch {
    return false;
  }
}

const PATH_CHARS_MAX = 1_024;

function pathOf(given: string, cwd: string): string {
  return /^~[/\\]/.test(given) ? resolve(homedir(), given.slice(2)) : resolve(cwd, given);
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size > limits.screenshotBytesMax) throw tooLarge(path, size);
    return await file.readFile();
  } catch (error) {
    if (error instanceof PlugError) throw error;
    const code = isObject(error) ? error['code'] : undefined;
    if (code === 'ENOENT') throw userError('not_found', `There is no file ${path}.`);
    throw usage(`${path} cannot be read: ${messageOf(error)}.`);
  }
}

async function pasteText(bytes: Buffer, where: string, { signal, out }: Session) {
  if (looksLikeImage(bytes)) {
    out.progress('Reading the screenshot on this machine …');
    const { readScreenshot } = await import('../servers/screenshot/read-screenshot.ts');
    return await readScreenshot(bytes, { signal });
  }
  if (bytes.length > limits.pasteFileBytesMax) throw tooLarge(where, bytes.length);
  if (bytes.includes(0)) throw usage(`${where} holds neither text nor a PNG or JPEG picture.`);
  return { text: bytes.toString('utf8') };
}

function tooLarge(where: string, bytes: number): PlugError {
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  return userError('too_large', `${where} has ${megabytes} MB; at most 1 MB of text is read.`, {
    remedy: 'Give only the part that describes the server.',
  });
}
