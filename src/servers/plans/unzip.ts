import { inflateRawSync } from 'node:zlib';
import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';

export interface ZipFile {
  /** Relative, with slashes, never leaving its folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

/**
 * Reads the files of a zip archive (APPNOTE 6.3.10, the parts that bundles use). What could write
 * outside the folder, unpack without end or hide a link is refused as a whole.
 */
export function unzip(archive: Uint8Array, limits: Limits): readonly ZipFile[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  if (count > limits.bundleFilesMax) throw bad(`it holds more than ${limits.bundleFilesMax} files`);
  const files: ZipFile[] = [];
  const seen = new Set<string>();
  let at = view.getUint32(end + 16, true);
  let left = limits.bundleUnpackedBytesMax;
  for (let index = 0; index < count; index += 1) {
    const entry = readEntry(view, archive, at);
    at = entry.next;
    if (entry.path.endsWith('/')) continue;
    checkPath(entry.path);
    const key = entry.path.toLowerCase();
    if (seen.has(key)) throw bad(`it holds ${JSON.stringify(entry.path)} twice`);
    seen.add(key);
    if (entry.mode !== 0 && (entry.mode & TYPE) === LINK) throw bad('it holds a link');
    const bytes = contentOf(view, archive, entry, left);
    left -= bytes.length;
    files.push({ path: entry.path, bytes, executable: (entry.mode & 0o100) !== 0 });
  }
  return files;
}

const END = 0x0605_4b50;
const CENTRAL = 0x0201_4b50;
const LOCAL = 0x0403_4b50;
const COMMENT_MAX = 65_535;
const TYPE = 0o170_000;
const LINK = 0o120_000;

function findEnd(view: DataView): number {
  const last = view.byteLength - 22;
  for (let at = last; at >= 0 && at >= last - COMMENT_MAX; at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw bad('it is no zip archive');
}

interface Entry {
  readonly path: string;
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  readonly offset: number;
  readonly mode: number;
  readonly next: number;
}

function readEntry(view: DataView, archive: Uint8Array, at: number): Entry {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== CENTRAL)
    throw bad('its table of contents is damaged');
  const nameLength = view.getUint16(at + 28, true);
  const after = at + 46 + nameLength;
  if ((view.getUint16(at + 8, true) & 1) !== 0) throw bad('it is encrypted');
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

function contentOf(view: DataView, archive: Uint8Array, entry: Entry, left: number): Uint8Array {
  const { offset, packed, size, method, path } = entry;
  if (offset + 30 > view.byteLength || view.getUint32(offset, true) !== LOCAL)
    throw bad(`${path} is missing`);
  const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (from + packed > archive.length) throw bad(`${path} is cut off`);
  if (size > left) throw bad('it unpacks to more than is allowed');
  const bytes = archive.subarray(from, from + packed);
  if (method !== 0 && method !== 8) throw bad(`${path} is packed in an unknown way`);
  const content = method === 0 ? bytes : inflate(bytes, size, path);
  if (content.length !== size) throw bad(`${path} does not have the size that it claims`);
  return content;
}

function inflate(bytes: Uint8Array, size: number, path: string): Uint8Array {
  try {
    return inflateRawSync(bytes, { maxOutputLength: Math.max(1, size) });
  } catch (cause) {
    throw bad(`${path} is damaged, or larger than it claims`, cause);
  }
}

function checkPath(path: string): void {
  const parts = path.split('/');
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  const odd = path === '' || path.length > 1_000 || /^\/|^[a-z]:|[\u0000-\u001f]/i.test(path);
  if (odd || parts.some((part) => part === '..' || part === '.' || part === '')) {
    throw bad(`${JSON.stringify(path.slice(0, 100))} would land outside its folder`);
  }
}

function bad(why: string, cause?: unknown): PlugError {
  return new PlugError('unsupported', `The bundle cannot be unpacked: ${why}.`, { owner: 'server', cause });
}
