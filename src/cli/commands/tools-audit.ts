import type { GrantView, Hub, ToolAudit } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { FAILED, faint, strong, type Output, type Piece, type Style } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { firstSentence, flagText, renderWithheld } from '../render/tool.ts';
import { listOf, type OfServer, type Session } from '../session.ts';

type AuditedServer = ToolAudit['servers'][number];
type AuditedTool = AuditedServer['tools'][number];

/** `plug tools --audit`: everything that is known about every tool; what failed comes first. */
export async function auditTools(hub: Hub, of: OfServer, { out }: Session): Promise<ExitCode> {
  const [audit, grants] = await listOf(hub, of, () =>
    Promise.all([hub.tools.audit(of), hub.grants.list(of)]),
  );
  out.document(audit);
  if (out.json) return exitCodes.ok;
  const { servers } = audit;
  for (const one of servers.filter(needsSomebody)) renderFailed(one, out);
  renderTools(servers, grants, out);
  for (const tool of servers.flatMap(({ withheld }) => withheld)) renderWithheld(tool, out);
  for (const tool of servers.flatMap(({ tools }) => tools)) {
    for (const { field, detail } of tool.flags)
      out.line({ style: 'bad', text: `⚑ ${tool.ref} ` }, `${field}: ${detail}`);
  }
  if (servers.length === 0) out.line('No tools are known yet.');
  renderSums(servers, out);
  return exitCodes.ok;
}

const WELL: ReadonlySet<string> = new Set(['ready', 'degraded', 'starting', 'asleep', 'disabled']);

function needsSomebody({ state }: AuditedServer): boolean {
  return !WELL.has(state);
}

function renderFailed({ server, state, reason, next }: AuditedServer, out: Output): void {
  out.line(FAILED, strong(server), ` ${state}: ${reason}`);
  const steps = new Set([...(next === undefined ? [] : [next]), `plug restart ${server}`]);
  out.line(faint('  next   '), [...steps].join(', or '));
}

function renderTools(servers: readonly AuditedServer[], grants: readonly GrantView[], out: Output): void {
  const rows = servers.flatMap(({ server, tools }) =>
    tools.map((tool): readonly Piece[] => [
      server,
      strong(tool.name),
      stateCell(tool),
      confirmCell(tool, grants),
      faint(tool.tokens === undefined ? '' : String(tool.tokens)),
      firstSentence(tool.description ?? tool.title ?? ''),
    ]),
  );
  if (rows.length === 0) return;
  const columns = ['SERVER', 'TOOL', 'STATE', 'CONFIRM', 'TOKENS', flexible('DESCRIPTION')];
  printTable(out, columns, rows);
}

function stateCell(tool: AuditedTool): Piece {
  const flags = flagText(tool);
  if (!tool.enabled) return faint(`${tool.risk}, off`);
  if (flags !== '') return { text: `${tool.risk}, ${flags}`, style: 'bad' };
  return { text: tool.pinned ? `${tool.risk}, pinned` : tool.risk, style: tool.pinned ? 'good' : 'warn' };
}

/** Whether a call asks. The hub has looked at grants already: “granted” says that one covers the whole tool. */
function confirmCell(tool: AuditedTool, grants: readonly GrantView[]): Piece {
  const granted = grants.some((grant) => grantsAll(grant, tool));
  if (granted && tool.confirm === 'allow') return { text: 'granted', style: 'good' };
  return CONFIRM[tool.confirm];
}

const CONFIRM: Readonly<Record<AuditedTool['confirm'], { readonly text: string; readonly style: Style }>> = {
  allow: { text: 'no', style: 'good' },
  ask: { text: 'asks', style: 'warn' },
  deny: { text: 'denied', style: 'bad' },
};

function grantsAll({ serverId, scope, stale }: GrantView, { server, name }: AuditedTool): boolean {
  return stale === undefined && serverId === server && scope.kind === 'tool' && scope.tool === name;
}

/** What each server costs a model that is shown all its tools. */
function renderSums(servers: readonly AuditedServer[], out: Output): void {
  const sums = servers.filter(({ tokens }) => tokens > 0).map(({ server, tokens }) => `${server} ${tokens}`);
  if (sums.length > 0) out.note(faint(`Tokens: ${sums.join(', ')}.`));
  out.note(
    faint(
      'Change it: plug tools confirm REF on|off, plug tools enable|disable REF, plug tools --review, plug restart SERVER.',
    ),
  );
}
