import { limits } from '../../base/limits.ts';
import type { AuditQuery, AuditRecord, Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { parseSince } from '../moments.ts';
import type { Style } from '../output.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { withServerName, type Session } from '../session.ts';

export interface AuditArgs {
  readonly server: string | undefined;
  readonly tool: string | undefined;
  readonly since: string | undefined;
  readonly outcome: AuditRecord['outcome'] | undefined;
  readonly limit: number | undefined;
}

/** `plug audit`: every call that was asked for, newest first. */
export async function audit(hub: Hub, args: AuditArgs, session: Session): Promise<ExitCode> {
  const { out } = session;
  const records: AuditRecord[] = [];
  const query = queryOf(args, session);
  for await (const page of auditPages(hub, query, args.limit ?? limits.auditRowsShown)) records.push(...page);
  out.document({ records });
  if (out.json) return exitCodes.ok;
  if (records.length === 0) out.line('No call is on record.');
  else {
    const columns = [
      { title: 'WHEN' },
      { title: 'TOOL' },
      { title: 'BY', flexible: true },
      { title: 'DECIDED', flexible: true },
      { title: 'OUTCOME' },
      { title: 'MS' },
      { title: 'ARGUMENTS', flexible: true },
    ];
    for (const line of renderTable({ columns, rows: records.map(rowOf), width: out.width }))
      out.line(...line);
  }
  out.note({ style: 'faint', text: SAVED_ELSEWHERE });
  return exitCodes.ok;
}

/** Switching our record off does not make anybody else forget. */
const SAVED_ELSEWHERE =
  'This is our own record. Conversations that a host saves keep the arguments and results of their calls too.';

/** `plug audit on|off SERVER` */
export async function setAudit(
  hub: Hub,
  { server, recorded }: { readonly server: string; readonly recorded: boolean },
  { out }: Session,
): Promise<ExitCode> {
  await withServerName(hub, server, () => hub.audit.setRecorded(server, recorded));
  out.document({ server, recorded });
  out.line(
    { style: 'good', text: '✔ ' },
    recorded ? `Calls of ${server} are recorded again.` : `Calls of ${server} are not recorded any more.`,
  );
  if (!recorded) out.note({ style: 'faint', text: SAVED_ELSEWHERE });
  return exitCodes.ok;
}

export function queryOf(args: Omit<AuditArgs, 'limit'>, { clock }: Session): Partial<AuditQuery> {
  const { server, tool, since, outcome } = args;
  return {
    ...ofTool(server, tool),
    ...(since === undefined ? {} : { since: parseSince(since, clock.now()) }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

/** `--tool` takes a bare name, or server/tool as everywhere else. */
function ofTool(server: string | undefined, tool: string | undefined): Partial<AuditQuery> {
  const slash = tool?.indexOf('/') ?? -1;
  if (tool !== undefined && server === undefined && slash > 0) {
    return { server: tool.slice(0, slash), tool: tool.slice(slash + 1) };
  }
  return { ...(server === undefined ? {} : { server }), ...(tool === undefined ? {} : { tool }) };
}

/** Page after page, `max` records in all. */
export async function* auditPages(
  hub: Hub,
  query: Partial<AuditQuery>,
  max: number,
): AsyncGenerator<readonly AuditRecord[]> {
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
};

function rowOf(record: AuditRecord): readonly Cell[] {
  const { requester, approval } = record;
  const answered = approval ? ` (${approval.outcome}${approval.edited ? ', edited' : ''})` : '';
  return [
    { text: new Date(record.at).toISOString().slice(0, 19).replace('T', ' '), style: 'faint' },
    { text: `${record.server}/${record.tool}`, style: 'strong' },
    { text: requester.name ?? (requester.kind === 'person' ? 'you' : requester.kind) },
    { text: `${record.effect} by ${decidedBy(record)}${answered}` },
    { text: record.outcome.replace('_', ' '), style: OUTCOMES[record.outcome] },
    { text: String(Math.round(record.durationMs)) },
    { text: JSON.stringify(record.args), style: 'faint' },
  ];
}

export function decidedBy({ by }: Pick<AuditRecord, 'by'>): string {
  switch (by.kind) {
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
    case 'undecidable':
    default:
      return 'what could not be decided';
  }
}
