import { counted } from '../render/text.ts';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { defined } from '../../base/defined.ts';
import { messageOf } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { AuditQuery, AuditRecord, AuditVerification, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { userError } from '../failures.ts';
import { parseSince } from '../option-values.ts';
import { DONE, FAILED, faint, strong, type Piece, type Style } from '../output.ts';
import { proseLines } from '../render/prose.ts';
import { flexible, printTable } from '../render/table.ts';
import { oneLine, safeJson } from '../sanitize.ts';
import { withServerName, type HubSession, type Session, type Texts } from '../session.ts';
import { canonicalRef } from '../tool-lookup.ts';

interface AuditArgs extends Texts<'server' | 'tool' | 'since'> {
  readonly outcome?: AuditRecord['outcome'];
  readonly limit?: number;
}

interface ShowArgs extends AuditArgs {
  readonly export?: string;
  readonly format: 'jsonl' | 'csv';
}

export async function audit(typed: ShowArgs, session: HubSession): Promise<void> {
  const { hub, out } = session;
  const { export: to, format, tool, ...rest } = typed;
  const args = tool === undefined ? rest : { ...rest, tool: await canonicalRef(hub, tool) };
  if (to !== undefined) return await exportAudit({ ...args, to, format }, session);
  const pages = auditPages(hub, queryOf(args, session), args.limit ?? limits.auditRowsShown);
  const records = (await Array.fromAsync(pages)).flat();
  if (out.document({ records })) return;
  const columns = [
    'WHEN',
    'TOOL',
    flexible('BY'),
    flexible('DECIDED'),
    'OUTCOME',
    'MS',
    flexible('ARGUMENTS'),
  ];
  printTable(out, columns, records.map(rowOf), 'No calls recorded.');
  for (const line of proseLines([], faint(SAVED_ELSEWHERE), out.width)) out.note(...line);
}

/** Hosts keep their own records. */
const SAVED_ELSEWHERE =
  'This is Plugboard’s own log. Hosts that save conversations also keep the arguments and results.';

export async function setAudit(
  { server, recorded }: { readonly server: string; readonly recorded: boolean },
  { hub, out }: HubSession,
): Promise<void> {
  await withServerName(hub, server, () => hub.audit.setRecorded({ server, recorded }));
  out.document({ server, recorded });
  const how = recorded ? 'with their arguments' : 'without their arguments';
  out.line(DONE, `Calls to ${server} are now recorded ${how}.`);
  if (!recorded) out.note(faint(SAVED_ELSEWHERE));
}

function queryOf(args: AuditArgs, { clock }: Session): Partial<AuditQuery> {
  const { server, tool, since, outcome } = args;
  const from = since === undefined ? undefined : parseSince(since, clock.now());
  // `--tool` takes a bare name, or server/tool as everywhere else.
  const slash = server === undefined ? (tool?.indexOf('/') ?? -1) : -1;
  const of = slash > 0 ? { server: tool?.slice(0, slash), tool: tool?.slice(slash + 1) } : { server, tool };
  return defined({ ...of, since: from, outcome });
}

async function* auditPages(hub: Hub, query: Partial<AuditQuery>, max: number) {
  let left = max;
  let cursor: string | undefined;
  do {
    const limit = Math.min(left, limits.auditPageRows);
    const page = await hub.audit.query({ ...query, limit, ...(cursor === undefined ? {} : { cursor }) });
    yield page.records.slice(0, left);
    left -= page.records.length;
    cursor = page.records.length === 0 ? undefined : page.cursor;
  } while (cursor !== undefined && left > 0);
}

const OUTCOMES: Readonly<Record<AuditRecord['outcome'], Style>> = {
  ok: 'good',
  tool_error: 'warn',
  failed: 'bad',
  timed_out: 'bad',
  cancelled: 'faint',
  refused: 'warn',
  unknown: 'bad',
};

function rowOf(record: AuditRecord): readonly Piece[] {
  const { requester, approval } = record;
  const answered = approval ? ` (${approval.outcome}${approval.edited ? ', edited' : ''})` : '';
  return [
    faint(new Date(record.at).toISOString().slice(0, 19).replace('T', ' ')),
    strong(`${record.server}/${record.tool}`),
    requester.name ?? (requester.kind === 'person' ? 'you' : requester.kind),
    `${record.effect} by ${decidedBy(record)}${answered}`,
    { text: record.outcome.replace('_', ' '), style: OUTCOMES[record.outcome] },
    record.outcome === 'unknown' ? '' : String(Math.round(record.durationMs)),
    faint(record.leftOut ? '(left out)' : JSON.stringify(record.args)),
  ];
}

function decidedBy({ by }: Pick<AuditRecord, 'by'>): string {
  switch (by.kind) {
    case 'consent':
      return 'form sent';
    case 'grant':
      return by.id;
    case 'rule':
    case 'data_rule':
      return `rule ${by.name}`;
    case 'default':
      return `default ${by.path}`;
    case 'flag':
      return `flag ${by.flag.kind.replace('_', ' ')}`;
    case 'trust':
      return `trust (${by.trust})`;
    case 'quarantine':
      return 'quarantine';
    case 'read_only':
      return by.bar.by === 'profile' ? `read-only profile ${by.bar.name}` : 'read-only mode';
    case 'undecidable':
    default:
      return 'undecidable';
  }
}

export async function verifyAudit({ hub, out }: HubSession): Promise<ExitCode> {
  const found = await hub.audit.verify();
  out.document(found);
  if (found.problem) {
    out.line(FAILED, wordsOf(found.problem));
    out.line(
      `  ${counted(found.records, 'record')} before it ${found.records === 1 ? 'is' : 'are'} as written.`,
    );
    return exitCodes.failed;
  }
  const gone = found.pruned === 0 ? '' : ` ${found.pruned} older ones were removed by age or count.`;
  out.line(DONE, `${counted(found.records, 'record')}, none changed or missing.${gone}`);
  const { place, hash } = found.end;
  // A copy of this reveals a chain that was rebuilt in the database.
  if (place > 0) out.line(faint(`  up to record ${place}: ${hash}`));
  return exitCodes.ok;
}

function wordsOf({ kind, place, callId }: NonNullable<AuditVerification['problem']>): string {
  const which = `Record ${place}${callId === undefined ? '' : ` (${callId})`}`;
  if (kind === 'missing') return `${which} is missing.`;
  return kind === 'changed' ? `${which} was changed.` : `${which} is not in its place.`;
}

interface ExportArgs extends AuditArgs {
  readonly to: string;
  readonly format: 'jsonl' | 'csv';
}

async function exportAudit(args: ExportArgs, session: HubSession): Promise<void> {
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
    out.line(DONE, `${counted(count, 'record')} written to ${args.to}.`);
  }
}

async function create(path: string): Promise<Awaited<ReturnType<typeof open>>> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (cause) {
    const exists = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST';
    throw userError(
      exists ? 'already_exists' : 'usage',
      exists ? `${path} already exists.` : `${path} cannot be written: ${messageOf(cause)}`,
      { remedy: 'Choose another file name.', cause },
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
