import { defined } from '../../base/defined.ts';
import type { GrantView, Hub, ToolAudit, ToolList, ToolView } from '../../hub/hub.ts';
import { FAILED, faint, strong, type Output, type Piece, type Style } from '../output.ts';
import { nextStep, statePieces } from '../render/state.ts';
import { proseLines } from '../render/prose.ts';
import { flexible, printTable } from '../render/table.ts';
import { RISK_STYLES, firstSentence, flagText, renderWithheld } from '../render/tool.ts';
import { listOf, withProfileName } from '../session.ts';
import type { Flags, HubSession, OfServer, Texts } from '../session.ts';

type ToolsArgs = Texts<'server' | 'profile' | 'search'> & Flags<'audit' | 'review'>;

export async function tools(args: ToolsArgs, session: HubSession): Promise<void> {
  const { hub, out, clock } = session;
  const { audit, review, ...query } = args;
  const { server, profile, search } = query;
  const of = defined({ server });
  if (audit) return await auditTools(of, session);
  if (review) return await (await import('./tools-settings.ts')).reviewTools(of, session);
  const found = await out.working('Looking at the tools', () =>
    listOf(hub, of, () => withProfileName(hub, profile, () => hub.tools.list(query))),
  );
  const { unavailable } = found;
  // A filter is the user's own choice: naming each tool that it hides would undo it in every list.
  const withheld = found.withheld.filter(({ cause }) => cause !== 'filtered');
  const filtered = found.withheld.length - withheld.length;
  if (
    out.document({
      tools: found.tools.map(({ definition, ...own }) => ({ ...definition, ...own })),
      withheld,
      filtered,
      unavailable,
    })
  )
    return;
  renderTools(found.tools, out);
  renderUnavailable(unavailable, out, clock.now());
  // A search wants matches, not everything that is missing.
  if (search === undefined) {
    for (const tool of withheld) renderWithheld(tool, out);
    if (filtered > 0) out.line(faint(filteredText(filtered, server)));
  }
  if (found.tools.length === 0 && unavailable.length === 0) {
    const { says, next } = await whyNone(hub, query);
    out.line(says);
    out.line(`Next: ${next}`);
  }
}

function filteredText(count: number, server: string | undefined): string {
  const tools = count === 1 ? '1 tool is' : `${count} tools are`;
  return `${tools} hidden by a filter. → plug tools${server === undefined ? '' : ` ${server}`} --audit`;
}

async function whyNone(hub: Hub, { server, search }: Pick<ToolsArgs, 'server' | 'search'>) {
  const [of, one] = server === undefined ? ['', ''] : [` of ${server}`, ` ${server}`];
  if (search !== undefined) return { says: `No tools${of} fit “${search}”.`, next: `plug tools${one}` };
  const { servers } = await hub.servers.list();
  if (servers.length === 0) return { says: 'No servers yet.', next: 'plug add ANYTHING' };
  const off = servers.filter(({ enabled, untrusted }) => !enabled && !untrusted).map(({ id }) => id);
  if (server !== undefined || off.length === 0 || off.length < servers.length)
    return { says: `No tools${of} are known yet.`, next: `plug wait${one}` };
  const are = `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} disabled`;
  return { says: `No tools are offered: ${are}.`, next: `plug enable ${off.join(' ')}` };
}

function renderTools(tools: readonly ToolView[], out: Output): void {
  if (tools.length === 0) return;
  const rows = tools.map((tool): readonly Piece[] => [
    strong(tool.ref),
    { text: tool.risk, style: RISK_STYLES[tool.risk] },
    { text: flagText(tool), style: 'bad' },
    faint(tool.tokens === undefined ? '' : String(tool.tokens)),
    firstSentence(tool.description ?? tool.title ?? ''),
  ]);
  const columns = ['TOOL', 'RISK', 'FLAGGED', 'TOKENS', flexible('DESCRIPTION')];
  printTable(out, columns, rows);
}

/** Nothing vanishes silently: a server whose tools are not offered says why. */
function renderUnavailable(unavailable: ToolList['unavailable'], out: Output, now: number): void {
  for (const { server, state, tools: count } of unavailable) {
    const [symbol, words] = statePieces({ id: server, state }, now);
    const missing = count > 0 ? `, ${count} tools not offered` : '';
    const next = nextStep({ id: server, state });
    out.line(symbol, `${words}${missing}${next ? ` → ${next}` : ''}`);
  }
}

type AuditedServer = ToolAudit['servers'][number];
type AuditedTool = AuditedServer['tools'][number];

async function auditTools(of: OfServer, { hub, out }: HubSession): Promise<void> {
  const [audit, grants] = await listOf(hub, of, () =>
    Promise.all([hub.tools.audit(of), hub.grants.list(of)]),
  );
  if (out.document(audit)) return;
  const { servers } = audit;
  for (const one of servers.filter(({ state }) => !WELL.has(state))) renderFailed(one, out);
  renderAudited(servers, grants, out);
  for (const tool of servers.flatMap(({ withheld }) => withheld)) renderWithheld(tool, out);
  for (const tool of servers.flatMap(({ tools }) => tools)) {
    for (const { field, detail } of tool.flags)
      out.line({ style: 'bad', text: `⚑ ${tool.ref} ` }, `${field}: ${detail}`);
  }
  if (servers.length === 0) out.line('No tools are known yet.');
  renderSums(servers, out);
}

const CHANGE_IT =
  'Change it: plug tools confirm REF on|off, plug tools enable|disable REF, plug tools --review, plug restart SERVER.';

const WELL: ReadonlySet<string> = new Set(['ready', 'degraded', 'starting', 'asleep', 'disabled']);

function renderFailed({ server, state, reason, next }: AuditedServer, out: Output): void {
  const said = proseLines([FAILED, strong(server)], ` ${state}: ${reason}`, out.width);
  for (const line of said) out.line(...line);
  const steps = new Set([...(next === undefined ? [] : [next]), `plug restart ${server}`]);
  out.line(faint('  next   '), [...steps].join(', or '));
}

function renderAudited(servers: readonly AuditedServer[], grants: readonly GrantView[], out: Output): void {
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
  const description = { ...flexible('DESCRIPTION'), belowUnder: DESCRIPTION_WIDTH_MIN };
  const columns = ['SERVER', 'TOOL', 'STATE', 'CONFIRM', 'TOKENS', description];
  printTable(out, columns, rows);
}

/** Fewer columns hold no sentence that helps. */
const DESCRIPTION_WIDTH_MIN = 24;

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

function renderSums(servers: readonly AuditedServer[], out: Output): void {
  const sums = servers.filter(({ tokens }) => tokens > 0).map(({ server, tokens }) => `${server} ${tokens}`);
  if (sums.length > 0) out.note(faint(`Tokens: ${sums.join(', ')}.`));
  for (const line of proseLines([], faint(CHANGE_IT), out.width)) out.note(...line);
}
