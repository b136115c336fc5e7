import {
  chmodSync,
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * Audit lines on their way to the database, and calls that have begun. Lines survive the process once `write`
 * returns, and power loss after `sync`. Two files: one takes new lines while those of the other are stored.
 */
export class Journal {
  readonly folder: string;
  readonly #paths: readonly [string, string];
  readonly #files: [OpenFile | undefined, OpenFile | undefined] = [undefined, undefined];
  #current: 0 | 1 = 0;
  #closed = false;

  /** `owner` identifies this process to those that look for files of dead ones. */
  constructor(folder: string, owner: string, name: string) {
    this.folder = folder;
    const path = (part: string): string => join(folder, `${owner}-${name}-${part}${SUFFIX}`);
    this.#paths = [path('a'), path('b')];
    for (const each of this.#paths) openPaths.add(each);
  }

  /** Whole lines: all of them, or it throws. */
  write(...parts: readonly Uint8Array[]): void {
    this.#append(this.#current, parts);
  }

  /** Switches to the other file, which starts with `open`; on failure nothing changes. */
  turn(open: Uint8Array): { drop(): void } {
    const before = this.#current;
    const next = before === 0 ? 1 : 0;
    try {
      this.#append(next, [open]);
    } catch {
      return { drop: () => undefined }; // what is stored twice is there once
    }
    this.#current = next;
    return { drop: () => this.#empty(before) };
  }

  sync(done: (error: unknown) => void): void {
    for (const file of this.#files) {
      if (!file?.unsynced) continue;
      file.unsynced = false;
      fdatasync(file.fd, done);
    }
  }

  /** Empty files are deleted; the rest is for the next start. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const [index, path] of this.#paths.entries()) {
      const file = this.#files[index === 0 ? 0 : 1];
      openPaths.delete(path);
      if (!file) continue;
      const empty = fstatSync(file.fd).size === 0;
      closeSync(file.fd);
      if (empty) rmSync(path, { force: true });
    }
  }

  #append(index: 0 | 1, parts: readonly Uint8Array[]): void {
    const file = this.#opened(index);
    const before = file.size;
    try {
      // A torn line that could not be removed must not run into the next one.
      if (file.torn) writeWhole(file, LINE_BREAK);
      file.torn = false;
      for (const part of parts) writeWhole(file, part);
    } catch (error) {
      takeBack(file, before);
      throw error;
    }
    file.unsynced = true;
  }

  #empty(index: 0 | 1): void {
    const file = this.#files[index];
    if (!file || this.#closed) return;
    ftruncateSync(file.fd, 0);
    file.size = 0;
    file.torn = false;
  }

  /** Opened when first needed, so that a failure reaches the call that needs it. */
  #opened(index: 0 | 1): OpenFile {
    if (this.#closed) throw new Error('the journal is closed');
    const known = this.#files[index];
    if (known) return known;
    makePrivateFolder(this.folder);
    const fd = openPrivate(this.#paths[index]);
    return (this.#files[index] = { fd, size: 0, torn: false, unsynced: false });
  }
}

export const SUFFIX = '.audit.jsonl';

/** Of this process: it may run more than one hub. */
export const openPaths: Set<string> = new Set();

interface OpenFile {
  readonly fd: number;
  size: number;
  torn: boolean;
  unsynced: boolean;
}

const LINE_BREAK = Buffer.from('\n');

function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

function openPrivate(path: string): number {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  // Windows has no O_NOFOLLOW; O_EXCL alone follows no link there.
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
}

/** The disk may take only part of it; the next write then throws why. */
function writeWhole(file: OpenFile, lines: Uint8Array): void {
  for (let written = 0; written < lines.length;) {
    const bytes = writeSync(file.fd, lines, written);
    written += bytes;
    file.size += bytes;
  }
}

/** Nothing may say that a call began that was never made. */
function takeBack(file: OpenFile, size: number): void {
  if (file.size === size) return;
  try {
    ftruncateSync(file.fd, size);
    file.size = size;
  } catch {
    file.torn = true;
  }
}
