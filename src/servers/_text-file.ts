import { open, stat, type FileHandle } from 'node:fs/promises';
import { constants, statSync, type BigIntStats } from 'node:fs';
import { messageOf } from '../base/errors.ts';

/** Equal stamps mean that nothing was written between the two looks. */
export interface FileStamp {
  readonly text: string;
  readonly modifiedMs: number;
}

const CHUNK_BYTES = 64 * 1024;

export type TextFile =
  | { readonly kind: 'ok'; readonly text: string; readonly stamp: FileStamp }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Reads a regular file of limited size as text. Never waits on a pipe or a device. */
export async function readTextFile(path: string, bytesMax: number): Promise<TextFile> {
  try {
    // Opened without blocking, because opening a named pipe would wait for its writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    const bytes = await readUpTo(file, bytesMax + 1);
    if (bytes.length > bytesMax) return { kind: 'unreadable', reason: `it is larger than ${bytesMax} bytes` };
    const text = decode(bytes);
    if (text === undefined) return { kind: 'unreadable', reason: 'it is not UTF-8 text' };
    return { kind: 'ok', text, stamp: stampOf(stats) };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Undefined when there is no file, or none that can be looked at. */
export async function stampFile(path: string): Promise<FileStamp | undefined> {
  try {
    return stampOf(await stat(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** The same at once, for whoever needs a stamp from before anything else can happen. */
export function stampFileNow(path: string): FileStamp | undefined {
  try {
    return stampOf(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** The size that a file states is only a hint: it may grow while it is read. */
async function readUpTo(file: FileHandle, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = bytesMax; left > 0;) {
    const chunk = Buffer.alloc(Math.min(left, CHUNK_BYTES));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, null);
    if (bytesRead === 0) break;
    chunks.push(chunk.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}

function stampOf(stats: BigIntStats): FileStamp {
  const parts = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs];
  return { text: parts.join(':'), modifiedMs: Number(stats.mtimeMs) };
}

/** UTF-8, or the UTF-16 that a Windows shell writes; a byte order mark is dropped. */
function decode(bytes: Buffer): string | undefined {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
  ELOOP: 'its links point at each other',
  ENXIO: 'it is not a regular file',
};

function outcomeOf(error: unknown): TextFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  return { kind: 'unreadable', reason: REASONS[code] ?? messageOf(error) };
}
