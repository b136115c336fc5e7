import type { Hub, ToolList, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output, Style } from '../output.ts';
import { nextStep, renderState } from '../render/state.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { withServerName, type Session } from '../session.ts';

export interface ToolsArgs {
  readonly server: string | undefined;
  readonly profile: string | undefined;
}

/** `plug tools`: what can be called, from manifests alone; no server is started. */
export async function tools(
  hub: Hub,
  { server, profile }: ToolsArgs,
  { out, clock }: Session,
): Promise<ExitCode> {
  const query = {
    ...(server === undefined ? {} : { server }),
    ...(profile === undefined ? {} : { profile }),
  };
  const found = await withServerName(hub, server ?? '', async () => {
    if (server !== undefined) await hub.servers.get(server);
    return await hub.tools.list(query);
  });
  out.document({ tools: found.tools.map(toDocument), unavailable: found.unavailable });
  if (out.json) return exitCodes.ok;
  renderTools(found.tools, out);
  renderUnavailable(found.unavailable, out, clock.now());
  if (found.tools.length === 0 && found.unavailable.length === 0) {
    out.line(server === undefined ? 'No tools are known yet.' : `No tools of ${server} are known yet.`);
    out.line(`Next: plug wait${server === undefined ? '' : ` ${server}`}`);
  }
  return exitCodes.ok;
}

/** The tool as its server sent it, with our own fields over it. */
function toDocument({ definition, ...own }: ToolView): Readonly<Record<string, unknown>> {
  return { ...definition, ...own };
}

const RISK_STYLES: Readonly<Record<ToolView['risk'], Style>> = {
  read: 'good',
  write: 'warn',
  destructive: 'bad',
  unknown: 'faint',
};

function renderTools(tools: readonly ToolView[], out: Output): void {
  if (tools.length === 0) return;
  const rows = tools.map((tool): readonly Cell[] => [
    { text: tool.ref, style: 'strong' },
    { text: tool.risk, style: RISK_STYLES[tool.risk] },
    { text: firstSentence(tool.description ?? tool.title ?? '') },
  ]);
  const columns = [{ title: 'TOOL' }, { title: 'RISK' }, { title: 'DESCRIPTION', flexible: true }];
  for (const line of renderTable({ columns, rows, width: out.width })) out.line(...line);
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

/** Descriptions run to pages; a list shows how they begin. */
function firstSentence(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const end = line.search(/[.!?]\s/u);
  return end === -1 ? line : line.slice(0, end + 1);
}
