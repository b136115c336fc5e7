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
 * What is recorded on its way into the database, and the beginnings of calls that have not ended. Lines
 * are in the file when `write` returns, so that they survive the sudden end of this process; `sync` is for
 * the loss of power.
 *
 * There are two files: while the lines of one are being stored, new ones go to the other.
 */
export class Journal {
  readonly folder: string;
  readonly #paths: readonly [string, string];
  readonly #files: [OpenFile | undefined, OpenFile | undefined] = [undefined, undefined];
  #current: 0 | 1 = 0;
  #closed = false;

  /** `owner` names this process for those that look for what dead ones left behind. */
  constructor(folder: string, owner: string, name: string) {
    this.folder = folder;
    const path = (part: string): string => join(folder, `${owner}-${name}-${part}${SUFFIX}`);
    this.#paths = [path('a'), path('b')];
    for (const each of this.#paths) openPaths.add(each);
  }

  /** Whole lines, each with its end: all of them, or none and the reason. */
  write(...parts: readonly Uint8Array[]): void {
    this.#append(this.#current, parts);
  }

  /**
   * From now on lines go to the other file, beginning with those that are `open`; what was written until
   * now can be dropped when it is stored. Where `open` cannot be written, everything stays as it is.
   */
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

  /** Brings to the disk what the system still holds; `done` hears of a failure. */
  sync(done: (error: unknown) => void): void {
    for (const file of this.#files) {
      if (!file?.unsynced) continue;
      file.unsynced = false;
      fdatasync(file.fd, done);
    }
  }

  /** Empty files go; what was not stored stays for the next start. */
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
      // What was cut off, and could not be taken back, must not run into the next line.
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

  /** Opened when it is first needed: where that fails, the call that needs it hears why. */
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

/** Of this process: more than one hub may live in it. */
export const openPaths: Set<string> = new Set();

interface OpenFile {
  readonly fd: number;
  size: number;
  /** Ends in the middle of a line. */
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
  // Windows has no O_NOFOLLOW; together with O_EXCL no link is followed there either.
  return openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
}

/** The disk may take only a part of it: then the rest, or the failure that tells why not. */
function writeWhole(file: OpenFile, lines: Uint8Array): void {
  for (let written = 0; written < lines.length;) {
    const bytes = writeSync(file.fd, lines, written);
    written += bytes;
    file.size += bytes;
  }
}

/** So that nothing says that a call began which was never made. */
function takeBack(file: OpenFile, size: number): void {
  if (file.size === size) return;
  try {
    ftruncateSync(file.fd, size);
    file.size = size;
  } catch {
    file.torn = true;
  }
}
