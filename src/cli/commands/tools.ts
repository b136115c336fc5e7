import { defined } from '../../base/defined.ts';
import type { Hub, ToolList, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { faint, strong, type Output, type Piece } from '../output.ts';
import { nextStep, renderState } from '../render/state.ts';
import { flexible, printTable } from '../render/table.ts';
import { firstSentence, flagText, renderWithheld, RISK_STYLES } from '../render/tool.ts';
import { listOf, withProfileName, type Session } from '../session.ts';

export interface ToolsArgs {
  readonly server?: string;
  readonly profile?: string;
  readonly search?: string;
  readonly audit?: boolean;
  readonly review?: boolean;
}

/** `plug tools`: what can be called, from manifests alone; no server is started. */
export async function tools(hub: Hub, args: ToolsArgs, session: Session): Promise<ExitCode> {
  const { audit, review, ...query } = args;
  const { server, profile, search } = query;
  const of = defined({ server });
  if (audit) return await (await import('./tools-audit.ts')).auditTools(hub, of, session);
  if (review) return await (await import('./tools-review.ts')).reviewTools(hub, of, session);
  const { out, clock } = session;
  const found = await out.working('Looking at the tools', () =>
    listOf(hub, of, () => withProfileName(hub, profile, () => hub.tools.list(query))),
  );
  const { unavailable } = found;
  // A filter is the user's own choice: naming each tool that it hides would undo it in every list.
  const withheld = found.withheld.filter(({ cause }) => cause !== 'filtered');
  const filtered = found.withheld.length - withheld.length;
  out.document({ tools: found.tools.map(toDocument), withheld, filtered, unavailable });
  if (out.json) return exitCodes.ok;
  renderTools(found.tools, out);
  renderUnavailable(unavailable, out, clock.now());
  // Whoever searches wants what fits, and not everything that there is not.
  if (search === undefined) {
    for (const tool of withheld) renderWithheld(tool, out);
    if (filtered > 0) out.line(faint(filteredText(filtered, server)));
  }
  if (found.tools.length === 0 && unavailable.length === 0) {
    const { says, next } = await whyNone(hub, query);
    out.line(says);
    out.line(`Next: ${next}`);
  }
  return exitCodes.ok;
}

function filteredText(count: number, server: string | undefined): string {
  const tools = count === 1 ? '1 tool is' : `${count} tools are`;
  return `${tools} hidden by a filter. → plug tools${server === undefined ? '' : ` ${server}`} --audit`;
}

async function whyNone(
  hub: Hub,
  { server, search }: Pick<ToolsArgs, 'server' | 'search'>,
): Promise<{ readonly says: string; readonly next: string }> {
  const [of, one] = server === undefined ? ['', ''] : [` of ${server}`, ` ${server}`];
  if (search !== undefined) return { says: `No tools${of} fit “${search}”.`, next: `plug tools${one}` };
  const { servers } = await hub.servers.list();
  const off = servers.filter(({ enabled, untrusted }) => !enabled && !untrusted).map(({ id }) => id);
  if (server !== undefined || off.length === 0 || off.length < servers.length) {
    return { says: `No tools${of} are known yet.`, next: `plug wait${one}` };
  }
  const are = `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} switched off`;
  return { says: `No tools are offered: ${are}.`, next: `plug enable ${off.join(' ')}` };
}

/** The tool as its server sent it, with our own fields over it. */
function toDocument({ definition, ...own }: ToolView): Readonly<Record<string, unknown>> {
  return { ...definition, ...own };
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
    const { symbol, words, style } = renderState({ state }, now);
    const missing = count > 0 ? `, ${count} tools not offered` : '';
    const next = nextStep({ id: server, state });
    out.line({ style, text: `${symbol} ` }, `${server}: ${words}${missing}${next ? ` → ${next}` : ''}`);
  }
}
