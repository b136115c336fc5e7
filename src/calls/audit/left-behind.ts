import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import { startTimeOf } from '../../connections/processes/process-table.ts';
import type { AuditRecord, BegunRecord } from '../audit-record.ts';
import { openPaths, SUFFIX } from './journal.ts';

export interface LeftBehind {
  /** Calls that had ended, and those of which nobody knows how they did. */
  readonly records: readonly AuditRecord[];
  /** Lines that were cut off in the middle of writing: nobody was told that they are kept. */
  readonly unreadable: number;
  /** Called when the records are stored. */
  drop(): void;
}

/** What processes that are gone have written and not stored. Those that still live keep their files. */
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

/** How a process is named by its files. Its number alone is given to another one some day. */
export async function journalOwner(): Promise<string> {
  const started = await startTimeOf(process.pid);
  return started === undefined ? `${process.pid}` : `${process.pid}.${fileWord(started)}`;
}

/** Each call once. One that began and did not end is closed: it may or may not have taken effect. */
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

/** By `PID.START-…`; where the system tells no start, and in files of before, by the number alone. */
async function isUsed(folder: string, name: string): Promise<boolean> {
  const { pid = '', started } = /^(?<pid>\d+)(\.(?<started>[^-]+))?-/.exec(name)?.groups ?? {};
  // A process before us may have had the number that is ours now.
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

/** The time as `ps` tells it has spaces and colons. */
function fileWord(text: string): string {
  return text.replaceAll(/[^0-9A-Za-z]+/g, '_');
}
