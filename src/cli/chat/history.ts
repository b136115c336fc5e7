import { chmod, mkdir, open, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chatLimits } from './limits.ts';

export interface History {
  readonly entries: readonly string[];
  add(text: string): Promise<void>;
}

/** In a file that only its owner reads; without one, as long as the chat lasts. */
export async function openHistory(file: string | undefined): Promise<History> {
  let entries = file === undefined ? [] : await read(file);
  return {
    get entries() {
      return entries;
    },
    add: async (text) => {
      if (/^\s/.test(text) || text === '' || text === entries[0]) return;
      if (text.length > chatLimits.historyEntryChars) return;
      entries = [text, ...entries].slice(0, chatLimits.historyEntriesMax);
      if (file !== undefined) await append(file, text);
    },
  };
}

async function read(file: string): Promise<readonly string[]> {
  const whole = await readIfThere(file);
  const kept = whole
    .slice(-chatLimits.historyBytesMax)
    .split('\n')
    .flatMap(parse)
    .slice(-chatLimits.historyEntriesMax);
  if (whole.length > chatLimits.historyBytesMax / 2) await shorten(file, kept);
  return kept.toReversed();
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    return ''; // the first chat, or a file that is not ours to read
  }
}

function parse(line: string): readonly string[] {
  try {
    const text: unknown = JSON.parse(line);
    return typeof text === 'string' ? [text] : [];
  } catch {
    return [];
  }
}

async function shorten(file: string, kept: readonly string[]): Promise<void> {
  const beside = `${file}.new`;
  await writeFile(beside, kept.map((text) => `${JSON.stringify(text)}\n`).join(''), { mode: 0o600 });
  await rename(beside, file);
}

/** Appending lets two chats write at once. A disk that is full costs the history, not the chat. */
async function append(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await using handle = await open(file, 'a', 0o600);
    await chmod(file, 0o600);
    await handle.writeFile(`${JSON.stringify(text)}\n`);
  } catch {}
}
