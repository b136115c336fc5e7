import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { AuditRecord } from '../../hub/hub.ts';
import { userError } from '../failures.ts';
import { DONE } from '../output.ts';
import { oneLine, safeJson } from '../sanitize.ts';
import type { HubSession } from '../session.ts';
import { auditPages, decidedBy, queryOf, type AuditArgs } from './audit.ts';

export interface ExportArgs extends AuditArgs {
  readonly to: string;
  readonly format: 'jsonl' | 'csv';
}

export async function exportAudit(args: ExportArgs, session: HubSession): Promise<void> {
  const { hub, out, terminal, cwd } = session;
  const target = args.to === '-' ? undefined : resolve(cwd, args.to);
  const file = target === undefined ? undefined : await create(target);
  const write = async (text: string): Promise<void> => {
    if (file) await file.write(text);
    else terminal.stdout.write(text); // made of safe JSON or of cleaned cells, see below
  };
  let count = 0;
  try {
    if (args.format === 'csv') await write(`${HEADER}\n`);
    const max = args.limit ?? limits.auditExportRowsMax;
    for await (const records of auditPages(hub, queryOf(args, session), max)) {
      const lines = records.map(args.format === 'csv' ? toCsv : (record) => safeJson(record));
      if (lines.length > 0) await write(`${lines.join('\n')}\n`);
      count += lines.length;
      if (!terminal.stdout.isOpen) break;
    }
  } finally {
    await file?.close();
  }
  if (target !== undefined) {
    out.document({ file: target, records: count });
    out.line(DONE, `${count} ${count === 1 ? 'record' : 'records'} written to ${args.to}.`);
  }
}

/** A new file, readable by its owner alone: arguments may be private. */
async function create(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw userError(
      exists ? 'already_exists' : 'usage',
      exists ? `${path} exists already.` : `${path} cannot be written: ${messageOf(cause)}`,
      { remedy: 'Name a new file.', cause },
    );
  }
}

const COLUMNS: readonly (readonly [string, (record: AuditRecord) => unknown])[] = [
  ['at', ({ at }) => new Date(at).toISOString()],
  ['callId', ({ callId }) => callId],
  ['principal', ({ principal }) => principal],
  ['requester', ({ requester }) => requester.kind],
  ['requesterName', ({ requester }) => requester.name ?? requester.id],
  ['server', ({ server }) => server],
  ['account', ({ account }) => account],
  ['tool', ({ tool }) => tool],
  ['risk', ({ risk }) => risk],
  ['effect', ({ effect }) => effect],
  ['decidedBy', decidedBy],
  ['approval', ({ approval }) => approval?.outcome],
  ['answeredBy', ({ approval }) => approval?.answeredBy],
  ['outcome', ({ outcome }) => outcome],
  ['error', ({ error }) => error?.code],
  ['owner', ({ error }) => error?.owner],
  ['durationMs', ({ durationMs }) => durationMs],
  ['argsBytes', ({ argsBytes }) => argsBytes],
  ['resultBytes', ({ resultBytes }) => resultBytes],
  ['resultId', ({ resultId }) => resultId],
  ['args', ({ args }) => safeJson(args)],
];

const HEADER = COLUMNS.map(([name]) => name).join(',');

function toCsv(record: AuditRecord): string {
  return COLUMNS.map(([, read]) => cell(read(record))).join(',');
}

/** A spreadsheet runs what begins like a formula: it is made a text. */
function cell(value: unknown): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? oneLine(value) : '';
  const inert = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
