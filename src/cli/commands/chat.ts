import { defined } from '../../base/defined.ts';
import type { Hub, ModelView, ServerView, ToolList } from '../../hub/hub.ts';
import { findAccounts } from '../chat/accounts.ts';
import { Conversation, type Choices } from '../chat/conversation.ts';
import { chatLimits } from '../chat/limits.ts';
import { checkServers, findModel, modelText } from '../chat/models.ts';
import type { ExitCode } from '../exit-codes.ts';
import { faint, strong, type Piece } from '../output.ts';
import { needsAttention } from '../render/state.ts';
import type { Flags, HubSession, Session } from '../session.ts';

interface ChatArgs extends Omit<Choices, 'verbose' | 'accounts'>, Flags<'setup'> {
  readonly account?: readonly string[];
}

export async function chat(flags: ChatArgs, session: HubSession): Promise<ExitCode> {
  const { hub } = session;
  const { profile, mode } = flags;
  const model = await findModel(hub, flags.model);
  const servers = flags.servers === undefined ? undefined : await checkServers(hub, flags.servers);
  const accounts = await findAccounts(hub, flags.account, servers);
  const isTalk = session.terminal.interactive && !session.out.json;
  // A script that wants a model must not be answered by anything else.
  const isSetup = flags.setup ?? (isTalk && model === undefined);
  const choices = { verbose: false, ...defined({ model: model?.name, servers, accounts, profile, mode }) };
  const conversation = new Conversation(choices, { isSetup });
  if (!isTalk) {
    const { talkOverPipe } = await import('../chat/piped.ts');
    return await talkOverPipe(conversation, session);
  }
  session.out.note(...(await startLine({ model, servers }, session)));
  if (isSetup)
    session.out.note(
      'Say what you want to connect, turn off, test or remove, or paste a config or an address.',
    );
  if (!model) session.out.note(faint('To chat, add a model with plug model add.'));
  const { talkAtTerminal } = await import('../chat/repl.ts');
  return await talkAtTerminal(conversation, session);
}

async function startLine(
  {
    model,
    servers: chosen,
  }: { readonly model: ModelView | undefined; readonly servers?: readonly string[] | undefined },
  { hub, clock }: HubSession,
): Promise<readonly Piece[]> {
  const parts = [
    model === undefined ? 'no model yet' : modelText(model),
    ...(await serverParts(hub, chosen, clock)),
  ];
  return [strong('plug chat'), ` · ${parts.join(' · ')} · /help`];
}

async function serverParts(hub: Hub, chosen: readonly string[] | undefined, clock: Session['clock']) {
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
