import type { Hub, ToolList, ToolView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { nextStep, renderState } from '../render/state.ts';
import { renderTable, type Cell } from '../render/table.ts';
import { firstSentence, flagText, renderWithheld, RISK_STYLES } from '../render/tool.ts';
import { withProfileName, withServerName, type Session } from '../session.ts';

export interface ToolsArgs {
  readonly server: string | undefined;
  readonly profile: string | undefined;
  readonly search: string | undefined;
}

/** `plug tools`: what can be called, from manifests alone; no server is started. */
export async function tools(
  hub: Hub,
  { server, profile, search }: ToolsArgs,
  { out, clock }: Session,
): Promise<ExitCode> {
  const query = {
    ...(server === undefined ? {} : { server }),
    ...(profile === undefined ? {} : { profile }),
    ...(search === undefined ? {} : { search }),
  };
  const found = await out.working('Looking at the tools', () =>
    withServerName(hub, server ?? '', async () => {
      if (server !== undefined) await hub.servers.get(server);
      return await withProfileName(hub, profile, () => hub.tools.list(query));
    }),
  );
  const { withheld, unavailable } = found;
  out.document({ tools: found.tools.map(toDocument), withheld, unavailable });
  if (out.json) return exitCodes.ok;
  renderTools(found.tools, out);
  renderUnavailable(unavailable, out, clock.now());
  // Whoever searches wants what fits, and not everything that there is not.
  if (search === undefined) for (const tool of withheld) renderWithheld(tool, out);
  if (found.tools.length === 0 && unavailable.length === 0) {
    const { says, next } = await whyNone(hub, { server, search });
    out.line(says);
    out.line(`Next: ${next}`);
  }
  return exitCodes.ok;
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
  const rows = tools.map((tool): readonly Cell[] => [
    { text: tool.ref, style: 'strong' },
    { text: tool.risk, style: RISK_STYLES[tool.risk] },
    { text: flagText(tool), style: 'bad' },
    { text: tool.tokens === undefined ? '' : String(tool.tokens), style: 'faint' },
    { text: firstSentence(tool.description ?? tool.title ?? '') },
  ]);
  const columns = [
    { title: 'TOOL' },
    { title: 'RISK' },
    { title: 'FLAGGED' },
    { title: 'TOKENS' },
    { title: 'DESCRIPTION', flexible: true },
  ];
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
