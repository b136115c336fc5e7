import type { GrantView, Hub, ToolAudit } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output, Style } from '../output.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { firstSentence, flagText, renderWithheld } from '../render/tool.ts';
import { withServerName, type Session } from '../session.ts';

type AuditedServer = ToolAudit['servers'][number];
type AuditedTool = AuditedServer['tools'][number];

/** `plug tools --audit`: everything that is known about every tool; what failed comes first. */
export async function auditTools(
  hub: Hub,
  { server }: { readonly server: string | undefined },
  { out }: Session,
): Promise<ExitCode> {
  const query = server === undefined ? {} : { server };
  const [audit, grants] = await withServerName(hub, server ?? '', async () => {
    if (server !== undefined) await hub.servers.get(server);
    return await Promise.all([hub.tools.audit(query), hub.grants.list(query)]);
  });
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
  out.line({ style: 'bad', text: '✖ ' }, { style: 'strong', text: server }, ` ${state}: ${reason}`);
  out.line(
    { style: 'faint', text: '  next   ' },
    `${next === undefined ? '' : `${next}, or `}plug restart ${server}`,
  );
}

function renderTools(servers: readonly AuditedServer[], grants: readonly GrantView[], out: Output): void {
  const rows = servers.flatMap(({ server, tools }) =>
    tools.map((tool): readonly Cell[] => [
      { text: server },
      { text: tool.name, style: 'strong' },
      stateCell(tool),
      confirmCell(tool, grants),
      { text: tool.tokens === undefined ? '' : String(tool.tokens), style: 'faint' },
      { text: firstSentence(tool.description ?? tool.title ?? '') },
    ]),
  );
  if (rows.length === 0) return;
  const columns = [
    { title: 'SERVER' },
    { title: 'TOOL' },
    { title: 'STATE' },
    { title: 'CONFIRM' },
    { title: 'TOKENS' },
    { title: 'DESCRIPTION', flexible: true },
  ];
  for (const line of renderTable({ columns, rows, width: out.width })) out.line(...line);
}

function stateCell(tool: AuditedTool): Cell {
  const flags = flagText(tool);
  if (!tool.enabled) return { text: `${tool.risk}, off`, style: 'faint' };
  if (flags !== '') return { text: `${tool.risk}, ${flags}`, style: 'bad' };
  return { text: tool.pinned ? `${tool.risk}, pinned` : tool.risk, style: tool.pinned ? 'good' : 'warn' };
}

/** Whether a call asks: “granted” where a grant goes before what would be asked. */
function confirmCell(tool: AuditedTool, grants: readonly GrantView[]): Cell {
  const granted = grants.some((grant) => grantsAll(grant, tool));
  if (granted && tool.confirm === 'ask') return { text: 'granted', style: 'good' };
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
  if (sums.length > 0) out.note({ style: 'faint', text: `Tokens: ${sums.join(', ')}.` });
  out.note({
    style: 'faint',
    text: 'Change it: plug tools confirm REF on|off, plug tools enable|disable REF, plug tools --review, plug restart SERVER.',
  });
}
