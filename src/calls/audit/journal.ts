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
  writevSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import { startTimeOf } from '../../connections/processes/process-table.ts';
import type { AuditRecord, BegunRecord } from '../audit-record.ts';

/** Lines survive a crash after `write`, power loss after `sync`; one file fills while the other is stored. */
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
    for (const index of [0, 1] as const) {
      const [file, path] = [this.#files[index], this.#paths[index]];
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
      if (file.torn) writeWhole(file, [LINE_BREAK]);
      file.torn = false;
      writeWhole(file, parts);
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
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    chmodSync(this.folder, 0o700);
    const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
    // Windows has no O_NOFOLLOW; O_EXCL alone follows no link there.
    const flags = O_WRONLY | O_APPEND | O_CREAT | O_EXCL | (O_NOFOLLOW ?? 0);
    const fd = openSync(this.#paths[index], flags, 0o600);
    return (this.#files[index] = { fd, size: 0, torn: false, unsynced: false });
  }
}

const SUFFIX = '.audit.jsonl';

/** Of this process: it may run more than one hub. */
const openPaths: Set<string> = new Set();

interface OpenFile {
  readonly fd: number;
  size: number;
  torn: boolean;
  unsynced: boolean;
}

const LINE_BREAK = Buffer.from('\n');

/** The disk may take only part of it; the next write then throws why. */
function writeWhole(file: OpenFile, parts: readonly Uint8Array[]): void {
  let left = parts.filter((part) => part.length > 0);
  while (left.length > 0) {
    const [first] = left;
    // One system call for all of them.
    let bytes = left.length === 1 && first ? writeSync(file.fd, first) : writevSync(file.fd, left);
    file.size += bytes;
    if (left.length === 1 && bytes === first?.length) return;
    left = left.flatMap((part) => {
      const rest = part.subarray(Math.min(bytes, part.length));
      bytes -= part.length - rest.length;
      return rest.length > 0 ? rest : [];
    });
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

export interface LeftBehind {
  readonly records: readonly AuditRecord[];
  /** Lines torn in the middle of writing: their calls were never confirmed. */
  readonly unreadable: number;
  drop(): void;
}

/** Reads journals of dead processes; live ones keep their files. */
export async function readLeftBehind(folder: string): Promise<LeftBehind> {
  const files: string[] = [];
  for (const name of namesIn(folder)) {
    if (name.endsWith(SUFFIX) && !(await isUsed(folder, name))) files.push(name);
  }
  const lines = files.flatMap((name) => linesOf(join(folder, name))).map(parseLine);
  const found = lines.filter((line) => line !== undefined);
  return {
    records: closed(found),
    unreadable: lines.length - found.length,
    drop: () => files.forEach((name) => rmSync(join(folder, name), { force: true })),
  };
}

/** A pid may be reused, so the start time is part of the name. */
export async function journalOwner(): Promise<string> {
  const started = await startTimeOf(process.pid);
  return started === undefined ? `${process.pid}` : `${process.pid}.${fileWord(started)}`;
}

/** Each call once; one that never ended gets the outcome `unknown`. */
function closed(found: readonly (AuditRecord | BegunRecord)[]): readonly AuditRecord[] {
  const ended = found.filter((record) => 'outcome' in record);
  const open = new Map(found.map((begun) => [begun.callId, unknownEnd(begun)]));
  for (const { callId } of ended) open.delete(callId);
  return [...ended, ...open.values()];
}

/** Of a call that was under way when its process ended. */
export function unknownEnd(begun: BegunRecord): AuditRecord {
  return { ...begun, ...UNKNOWN };
}

const UNKNOWN = {
  durationMs: 0,
  outcome: 'unknown',
  error: {
    code: 'unavailable',
    owner: 'plugboard',
    message: 'The hub ended before the call did. Whether it took effect is not known.',
  },
} as const;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return []; // never used before
  }
}

function linesOf(path: string): readonly string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').filter(Boolean);
  } catch {
    return []; // its process has just stored and removed it
  }
}

function parseLine(line: string): AuditRecord | BegunRecord | undefined {
  try {
    const record: unknown = parseJson(line);
    // Only the journal writes these lines, each from a record.
    return isObject(record) && typeof record['callId'] === 'string'
      ? (record as unknown as AuditRecord | BegunRecord)
      : undefined;
  } catch {
    return undefined;
  }
}

/** `PID.START-…`; without a start time, by pid alone. */
async function isUsed(folder: string, name: string): Promise<boolean> {
  const { pid = '', started } = /^(?<pid>\d+)(\.(?<started>[^-]+))?-/.exec(name)?.groups ?? {};
  // An earlier process may have had our pid.
  if (Number(pid) === process.pid) return openPaths.has(join(folder, name));
  if (started === undefined) return isAlive(Number(pid));
  const now = await startTimeOf(Number(pid));
  return now !== undefined && fileWord(now) === started;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isObject(error) && error['code'] === 'EPERM';
  }
}

/** `ps` prints times with spaces and colons. */
function fileWord(text: string): string {
  return text.replaceAll(/[^0-9A-Za-z]+/g, '_');
}
