import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { PlugError, messageOf } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';

/** Streams each file: memory holds one chunk, and the disk never more than a file claims. */
export async function unzip(archive: Uint8Array, folder: string, limits: Limits): Promise<void> {
  for (const entry of readTable(archive, limits)) await write(entry, folder, limits);
}

const PIECE_BYTES = 64 * 1024;

async function write(entry: ZipEntry, folder: string, limits: Limits): Promise<void> {
  const { path, executable, packed, isDeflated, size } = entry;
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw notWritten(error);
  });
  let bytes = 0;
  const count = async function* (pieces: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > size || isBomb(bytes, packed.length, limits))
        throw badBundle(`${path} is damaged, or larger than it claims`);
      yield piece;
    }
  };
  const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
  inflate.once('error', () => undefined); // told by the pipeline
  const pieces: AsyncIterable<Buffer> = isDeflated ? Readable.from([packed]).pipe(inflate) : piecesOf(packed);
  const written = createWriteStream(file, { flags: 'wx', mode: executable ? 0o700 : 0o600 });
  try {
    await pipeline(count(pieces), written);
  } catch (error) {
    const isTheirs = !(error instanceof Error) || !('syscall' in error);
    throw isTheirs ? badBundle(`${path} is damaged, or larger than it claims`, error) : notWritten(error);
  }
  if (bytes !== size) throw badBundle(`${path} does not have the size that it claims`);
}

function notWritten(cause: unknown): PlugError {
  return new PlugError('unavailable', `The bundle's files could not be written: ${messageOf(cause)}.`, {
    owner: 'you',
    remedy: 'Look whether there is room on the disk, then add it again.',
    cause,
  });
}

async function* piecesOf(bytes: Uint8Array): AsyncIterable<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    yield Buffer.from(bytes.subarray(from, from + PIECE_BYTES));
  }
}

interface ZipEntry {
  /** Relative, with slashes, inside its folder. */
  readonly path: string;
  readonly executable: boolean;
  readonly packed: Uint8Array;
  readonly isDeflated: boolean;
  readonly size: number;
}

type Bounds = Pick<
  Limits,
  | 'bundleFilesMax'
  | 'bundleFileBytesMax'
  | 'bundleUnpackedBytesMax'
  | 'bundleRatioMax'
  | 'bundleRatioFreeBytes'
>;

/**
 * Reads the table of a zip archive (APPNOTE 6.3.10). Paths outside the folder, bombs and links are refused
 * before anything is written.
 */
export function readTable(archive: Uint8Array, limits: Bounds): readonly ZipEntry[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > limits.bundleFilesMax) throw badBundle(`it holds more than ${limits.bundleFilesMax} files`);
  const entries: ZipEntry[] = [];
  const seen = new Set<string>();
  const ranges: (readonly [from: number, to: number])[] = [];
  let at = view.getUint32(end + 16, true);
  let unpacked = 0;
  for (let index = 0; index < count; index += 1) {
    const row = readRow(view, archive, at);
    at = row.next;
    if (row.path.endsWith('/')) continue;
    checkPath(row.path);
    checkKind(row.mode);
    checkNew(row.path, seen);
    unpacked += row.size;
    if (unpacked > limits.bundleUnpackedBytesMax || row.size > limits.bundleFileBytesMax)
      throw badBundle('it unpacks to more than is allowed');
    if (isBomb(row.size, row.packed, limits) || isBomb(unpacked, archive.length, limits))
      throw badBundle('it is packed to fill your disk');
    const from = contentAt(view, row);
    ranges.push([from, from + row.packed]);
    entries.push({
      path: row.path,
      executable: (row.mode & 0o100) !== 0,
      packed: archive.subarray(from, from + row.packed),
      isDeflated: row.method === DEFLATED,
      size: row.size,
    });
  }
  checkApart(ranges);
  checkFolders(seen);
  return entries;
}

/** Beyond the free bytes, a high ratio means a bomb. */
function isBomb(
  unpacked: number,
  packed: number,
  { bundleRatioMax, bundleRatioFreeBytes }: Pick<Limits, 'bundleRatioMax' | 'bundleRatioFreeBytes'>,
): boolean {
  return unpacked > bundleRatioFreeBytes && unpacked > packed * bundleRatioMax;
}

function badBundle(why: string, cause?: unknown): PlugError {
  return new PlugError('unsupported', `The bundle cannot be unpacked: ${why}.`, { owner: 'server', cause });
}

const END = 0x0605_4b50;
const CENTRAL = 0x0201_4b50;
const LOCAL = 0x0403_4b50;
const COMMENT_MAX = 65_535;
const PATH_CHARS_MAX = 1_000;
const STORED = 0;
const DEFLATED = 8;
const TYPE = 0o170_000;
const FILE = 0o100_000;
const LINK = 0o120_000;

function findEnd(view: DataView): number {
  const last = view.byteLength - 22;
  for (let at = last; at >= 0 && at >= last - COMMENT_MAX; at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw badBundle('it is no zip archive');
}

interface Row {
  readonly path: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  readonly mode: number;
  readonly next: number;
}

function readRow(view: DataView, archive: Uint8Array, at: number): Row {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL)
    throw badBundle('its table of contents is damaged');
  const nameLength = view.getUint16(at + 28, true);
  const after = at + 46 + nameLength;
  if ((view.getUint16(at + 8, true) & 1) !== 0) throw badBundle('it is encrypted');
  return {
    path: new TextDecoder().decode(archive.subarray(at + 46, after)).replaceAll('\\', '/'),
    method: view.getUint16(at + 10, true),
    packed: view.getUint32(at + 20, true),
    size: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
    mode: view.getUint32(at + 38, true) >>> 16,
    next: after + view.getUint16(at + 30, true) + view.getUint16(at + 32, true),
  };
}

function contentAt(view: DataView, { offset, packed, size, method, path }: Row): number {
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== LOCAL)
    throw badBundle(`${path} is missing`);
  const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (from + packed > view.byteLength) throw badBundle(`${path} is cut off`);
  if (method !== STORED && method !== DEFLATED) throw badBundle(`${path} is packed in an unknown way`);
  if (method === STORED && packed !== size) throw badBundle(`${path} does not have the size that it claims`);
  return from;
}

function checkPath(path: string): void {
  const odd = path === '' || path.length > PATH_CHARS_MAX || /^\/|:|\p{Cc}/u.test(path);
  if (odd || path.split('/').some((part) => /^[. ]*$/.test(part)))
    throw badBundle(`${JSON.stringify(path.slice(0, 100))} would land outside its folder`);
}

function checkKind(mode: number): void {
  const type = mode & TYPE;
  if (type === LINK) throw badBundle('it holds a link');
  if (type !== 0 && type !== FILE) throw badBundle('it contains an entry that isn’t a file');
}

/** On case-insensitive or normalizing file systems two names are one file. */
function checkNew(path: string, seen: Set<string>): void {
  const key = path.normalize('NFKC').toLowerCase();
  if (seen.has(key)) throw badBundle(`it holds ${JSON.stringify(path.slice(0, 100))} twice`);
  seen.add(key);
}

function checkFolders(seen: ReadonlySet<string>): void {
  for (const path of seen) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      if (seen.has(path.slice(0, at))) throw badBundle('it holds one name as a file and as a folder');
    }
  }
}

/** Overlapping files are how a small archive unpacks to a large one. */
function checkApart(ranges: readonly (readonly [from: number, to: number])[]): void {
  let last = 0;
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    if (from < last) throw badBundle('its files overlap');
    last = to;
  }
}
