import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import { startTimeOf } from '../../connections/processes/process-table.ts';
import type { AuditRecord, BegunRecord } from '../audit-record.ts';
import { openPaths, SUFFIX } from './journal.ts';

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
  const known = new Set(ended.map(({ callId }) => callId));
  const open = new Map(
    found.flatMap((record) =>
      'outcome' in record || known.has(record.callId) ? [] : [[record.callId, record]],
    ),
  );
  return [...ended, ...[...open.values()].map((begun) => ({ ...begun, ...UNKNOWN }))];
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
    return readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return []; // its process has just stored and removed it
  }
}

function parseLine(line: string): AuditRecord | BegunRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
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
