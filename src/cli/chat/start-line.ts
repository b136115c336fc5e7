import type { Hub, ModelView, ServerView, ToolList } from '../../hub/hub.ts';
import { strong, type Piece } from '../output.ts';
import { needsAttention } from '../render/state.ts';
import type { Session } from '../session.ts';
import { chatLimits } from './limits.ts';

/** The one line at the beginning: who answers, what it can use, and where help is. */
export async function startLine(
  hub: Hub,
  {
    model,
    servers: chosen,
  }: { readonly model: ModelView | undefined; readonly servers?: readonly string[] | undefined },
  { clock }: Session,
): Promise<readonly Piece[]> {
  const parts = [
    model === undefined ? 'no model yet' : modelText(model),
    ...(await serverParts(hub, chosen, clock)),
  ];
  return [strong('plug chat'), ` · ${parts.join(' · ')} · /help`];
}

export function modelText({ name, model }: ModelView): string {
  return name === model ? name : `${name} (${model})`;
}

/** Both are answered from what is known; should the hub be busy all the same, nobody waits for it. */
async function serverParts(
  hub: Hub,
  chosen: readonly string[] | undefined,
  clock: Session['clock'],
): Promise<readonly string[]> {
  const done = new AbortController();
  const late = clock.sleep(chatLimits.startLineMs, done.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    const found = await Promise.race([Promise.all([hub.servers.list(), hub.tools.list()]), late]);
    if (!found) return [];
    const [{ servers }, tools] = found;
    const isChosen = (id: string): boolean => chosen === undefined || chosen.includes(id);
    return [...countsOf(servers.filter(({ id }) => isChosen(id))), toolsText(tools, isChosen)];
  } finally {
    done.abort();
  }
}

function countsOf(servers: readonly ServerView[]): readonly string[] {
  if (servers.length === 0) return ['no servers'];
  const needing = servers.filter(needsAttention).length;
  const asleep = servers.filter((server) => !needsAttention(server) && server.state.kind === 'asleep').length;
  const ready = servers.filter(({ state }) => state.kind === 'ready' || state.kind === 'degraded').length;
  return [
    ...(ready > 0 ? [`${ready} ready`] : []),
    ...(asleep > 0 ? [`${asleep} asleep`] : []),
    ...(needing > 0 ? [`${needing} ${needing === 1 ? 'needs' : 'need'} you`] : []),
  ];
}

function toolsText({ tools }: ToolList, isChosen: (server: string) => boolean): string {
  const offered = tools.filter(({ server }) => isChosen(server));
  const tokens = offered.reduce((sum, tool) => sum + (tool.tokens ?? 0), 0);
  const cost = tokens === 0 ? '' : ` (${tokens < 1_000 ? tokens : `${(tokens / 1_000).toFixed(1)}k`} tokens)`;
  return `${offered.length} ${offered.length === 1 ? 'tool' : 'tools'}${cost}`;
}
