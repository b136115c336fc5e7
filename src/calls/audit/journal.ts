import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import type { AuditRecord } from '../audit-record.ts';

/**
 * Records on their way into the database. Lines are in the file when `write` returns, so that they
 * survive the sudden end of this process (the loss of power it does not: nothing is synced).
 *
 * There are two files: while the lines of one are being stored, new ones go to the other.
 */
export class Journal {
  readonly #files: readonly [OpenFile, OpenFile];
  #current: 0 | 1 = 0;
  #closed = false;

  constructor(folder: string, name: string) {
    makePrivateFolder(folder);
    const open = (part: string): OpenFile =>
      openPrivate(join(folder, `${process.pid}-${name}-${part}${SUFFIX}`));
    this.#files = [open('a'), open('b')];
  }

  /** Whole lines, each with its end. */
  write(lines: Uint8Array): void {
    writeWhole(this.#files[this.#current].fd, lines);
  }

  /** From now on lines go to the other file; what was written until now can be dropped when it is stored. */
  turn(): { drop(): void } {
    const { fd } = this.#files[this.#current];
    this.#current = this.#current === 0 ? 1 : 0;
    return { drop: () => ftruncateSync(fd, 0) };
  }

  /** Empty files go; what was not stored stays for the next start. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const { fd, path } of this.#files) {
      const empty = fstatSync(fd).size === 0;
      closeSync(fd);
      openPaths.delete(path);
      if (empty) rmSync(path, { force: true });
    }
  }
}

export interface LeftBehind {
  readonly records: readonly AuditRecord[];
  /** Lines that were cut off in the middle of writing: nobody was told that they are kept. */
  readonly unreadable: number;
  /** Called when the records are stored. */
  drop(): void;
}

/** What processes before us have written and not stored. Those that still live keep their files. */
export function readLeftBehind(folder: string): LeftBehind {
  const files = namesIn(folder).filter((name) => name.endsWith(SUFFIX));
  const lines = files.flatMap((name) => linesOf(join(folder, name)));
  const parsed = lines.map(parseLine);
  const records = parsed.filter((record) => record !== undefined);
  const dead = files.filter((name) => !isUsed(join(folder, name), Number.parseInt(name, 10)));
  return {
    records,
    unreadable: parsed.length - records.length,
    drop: () => dead.forEach((name) => rmSync(join(folder, name), { force: true })),
  };
}

const SUFFIX = '.audit.jsonl';

/** Of this process: more than one hub may live in it. */
const openPaths = new Set<string>();

interface OpenFile {
  readonly fd: number;
  readonly path: string;
}

function makePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
}

function openPrivate(path: string): OpenFile {
  const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  // Windows has no O_NOFOLLOW; together with O_EXCL no link is followed there either.
  const fd = openSync(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0), 0o600);
  openPaths.add(path);
  return { fd, path };
}

/** The disk may take only a part of it: then the rest, or the failure that tells why not. */
function writeWhole(fd: number, lines: Uint8Array): void {
  for (let written = 0; written < lines.length;) written += writeSync(fd, lines, written);
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // never used before
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return []; // its process has just stored and removed it
  }
}

function parseLine(line: string): AuditRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    // Only this file writes these lines, each from a record.
    return isObject(record) && typeof record['callId'] === 'string'
      ? (record as unknown as AuditRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

function isUsed(path: string, pid: number): boolean {
  // A process before us may have had the number that is ours now.
  if (pid === process.pid) return openPaths.has(path);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isObject(error) && error['code'] === 'EPERM';
  }
}
