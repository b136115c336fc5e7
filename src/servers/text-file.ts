import { open, stat, type FileHandle } from 'node:fs/promises';
import { constants, statSync, type BigIntStats } from 'node:fs';
import { messageOf } from '../base/errors.ts';

/** Equal stamps: nothing was written in between. */
export interface FileStamp {
  readonly text: string;
  readonly modifiedMs: number;
}

const CHUNK_BYTES = 64 * 1024;

export type NoFile = { readonly kind: 'missing' } | { readonly kind: 'unreadable'; readonly reason: string };

export type TextFile = { readonly kind: 'ok'; readonly text: string; readonly stamp: FileStamp } | NoFile;

export const NOT_TEXT: NoFile = { kind: 'unreadable', reason: 'it is not UTF-8 text' };

/** UTF-8, or UTF-16 from a Windows shell; without the byte order mark. */
export async function readTextFile(path: string, bytesMax: number): Promise<TextFile> {
  const file = await readFileBytes(path, bytesMax);
  if (file.kind !== 'ok') return file;
  const { bytes, stats } = file;
  const text = decodeText(bytes, bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8');
  return text === undefined
    ? NOT_TEXT
    : { kind: 'ok', text: text.replace(/^\uFEFF/, ''), stamp: stampOf(stats) };
}

type FileBytes = { readonly kind: 'ok'; readonly bytes: Buffer; readonly stats: BigIntStats } | NoFile;

/** Regular files only: never waits on a pipe or a device. */
export async function readFileBytes(path: string, bytesMax: number): Promise<FileBytes> {
  try {
    // Opening a named pipe would wait for its writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    const bytes = await readUpTo(file, bytesMax + 1);
    if (bytes.length > bytesMax) return { kind: 'unreadable', reason: `it is larger than ${bytesMax} bytes` };
    return { kind: 'ok', bytes, stats };
  } catch (error) {
    return outcomeOf(error);
  }
}

/** Undefined when there is no readable file. */
export async function stampFile(path: string): Promise<FileStamp | undefined> {
  try {
    return stampOf(await stat(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** Synchronous, for a stamp from before anything else happens. */
export function stampFileNow(path: string): FileStamp | undefined {
  try {
    return stampOf(statSync(path, { bigint: true }));
  } catch {
    return undefined;
  }
}

/** The file may grow while it is read. */
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

export function stampOf(stats: BigIntStats): FileStamp {
  const parts = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs];
  return { text: parts.join(':'), modifiedMs: Number(stats.mtimeMs) };
}

export function decodeText(bytes: Buffer, encoding: 'utf-8' | 'utf-16le'): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
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

function outcomeOf(error: unknown): NoFile {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  return { kind: 'unreadable', reason: REASONS[code] ?? messageOf(error) };
}
