import { open } from 'node:fs/promises';
import { constants, type BigIntStats } from 'node:fs';
import { messageOf } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';

/** A client's file with everything that must survive an edit: a byte order mark, its mode. */
export type ClientText =
  | {
      readonly kind: 'ok';
      /** Without the byte order mark. */
      readonly text: string;
      readonly bom: boolean;
      readonly mode: number;
      /** Equal stamps mean that nothing was written between the two looks. */
      readonly stamp: string;
      readonly modifiedMs: number;
    }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string };

const BOM = '\uFEFF';

/** Reads a regular file of limited size. Never waits on a pipe or a device. */
export async function readClientText(path: string): Promise<ClientText> {
  const max = limits.clientFileBytesMax;
  try {
    // Opened without blocking, because opening a named pipe would wait for its writer.
    await using file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return { kind: 'unreadable', reason: 'it is not a regular file' };
    if (stats.size > max) return { kind: 'unreadable', reason: `it is larger than ${max} bytes` };
    const bytes = await file.readFile();
    if (bytes.length > max) return { kind: 'unreadable', reason: `it is larger than ${max} bytes` };
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const bom = text.startsWith(BOM);
    return {
      kind: 'ok',
      text: bom ? text.slice(1) : text,
      bom,
      mode: Number(stats.mode) & 0o7777,
      stamp: stampOf(stats),
      modifiedMs: Number(stats.mtimeMs),
    };
  } catch (error) {
    return outcomeOf(error);
  }
}

export function stampOf(stats: BigIntStats): string {
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(':');
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you may not read it',
  EPERM: 'you may not read it',
  EISDIR: 'it is a folder',
  ELOOP: 'its links point at each other',
  ENXIO: 'it is not a regular file',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'it is not UTF-8 text',
};

function outcomeOf(error: unknown): ClientText {
  const code = isObject(error) ? String(error['code']) : '';
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
  return { kind: 'unreadable', reason: REASONS[code] ?? messageOf(error) };
}
