import { CommanderError } from 'commander';
import { toPlugError, type PlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { GrantView, Hub, ServerView } from '../../hub/hub.ts';
import { usage, userError } from '../failures.ts';
import { DONE, FAILED, faint, strong } from '../output.ts';
import { buildProgram, usageError } from '../program.ts';
import { withServerName, type HubSession, type Session } from '../session.ts';
import { canonicalRef } from '../tool-lookup.ts';

export type RunCommand = (argv: readonly string[]) => Promise<void>;

export async function mcp(words: readonly string[], session: HubSession, run: RunCommand): Promise<void> {
  const { hub } = session;
  const [word = '', ...rest] = words;
  const [server, tool] = rest.filter((one) => one !== ALWAYS);
  switch (word) {
    case '':
      for (const { word: name, takes, says } of MCP_WORDS)
        session.out.line(strong(`  /mcp ${`${name} ${takes}`.padEnd(22)}`), says);
      return undefined;
    case 'list':
    case 'ls':
      return await run(['list']);
    case 'tools':
    case 'add':
    case 'remove':
    case 'status':
    case 'doctor':
      return await run([word, ...rest]);
    case 'refresh':
      return await refresh(server, session);
    case 'allow':
      if (server === undefined) throw needsServer(word);
      return await allow(ref(server, tool), rest.includes(ALWAYS), session, run);
    case 'revoke':
      if (server === undefined) throw needsServer(word);
      return await run(['grants', 'revoke', ...(await grantsFor(hub, server, tool))]);
    default: {
      const known = MCP_WORDS.map((one) => one.word);
      const near = suggest(word, known).map((one) => `/mcp ${one}`);
      throw usage(`There is no /mcp ${word}. ${didYouMean(near)}`.trim(), '/mcp');
    }
  }
}

function needsServer(word: string): PlugError {
  return usage('Say which server, and perhaps which tool.', `/mcp ${word} SERVER [TOOL]`);
}

const ALWAYS = '--always';

/** For the session unless it is said otherwise: a word in a chat should not outlive what it was said for. */
async function allow(what: string, always: boolean, { out }: HubSession, run: RunCommand): Promise<void> {
  await run(['grants', 'add', what, ...(always ? [] : ['--session'])]);
  const lasts = 'Until the hub stops, or /mcp revoke';
  out.line(faint(always ? 'Kept until /mcp revoke.' : `${lasts}. To keep it: /mcp allow ${what} ${ALWAYS}`));
}

function ref(server: string, tool: string | undefined): string {
  return tool === undefined || server.includes('/') ? server : `${server}/${tool}`;
}

async function grantsFor(hub: Hub, given: string, tool: string | undefined): Promise<readonly string[]> {
  const all = await hub.grants.list();
  if (all.some(({ id }) => id === given)) return [given];
  const [server = '', ...after] = (await canonicalRef(hub, given)).split('/');
  const name = tool ?? (after.length > 0 ? after.join('/') : undefined);
  await withServerName(hub, server, () => hub.servers.get({ id: server }));
  const found = all.filter((grant) => isFor(grant, server, name)).map(({ id }) => id);
  if (found.length > 0) return found;
  const what = name === undefined ? server : `${server}/${name}`;
  throw userError('not_found', `Nothing is granted for ${what}.`, { remedy: { do: 'show', what: 'grants' } });
}

function isFor({ scope, serverId }: GrantView, server: string, tool: string | undefined): boolean {
  if (serverId !== server) return false;
  return tool === undefined || (scope.kind !== 'reads' && scope.tool === tool);
}

async function refresh(name: string | undefined, session: HubSession): Promise<void> {
  const { hub, out, signal } = session;
  const { added, removed, changed, errors } = await hub.servers.reload();
  const { servers } = await hub.servers.list();
  const wanted =
    name === undefined
      ? servers.filter(
          ({ state, enabled }) => enabled && (state.kind === 'ready' || state.kind === 'degraded'),
        )
      : [await withServerName(hub, name, () => hub.servers.get({ id: name }))];
  const outcomes = await Promise.all(
    wanted.map(async (server) => ({ server, ...(await reconnect(hub, server, signal)) })),
  );
  const parts = [
    ...(added.length > 0 ? [`added ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`removed ${removed.join(', ')}`] : []),
    ...(changed.length > 0 ? [`changed ${changed.join(', ')}`] : []),
  ];
  out.line(`Config files: ${parts.length > 0 ? parts.join('; ') : 'nothing changed'}.`);
  for (const [server, error] of Object.entries(errors)) out.note(FAILED, `${server}: ${error.message}`);
  for (const { server, now, problem } of outcomes) {
    if (now) out.line(DONE, `${server.id}: ${now.toolsOffered} of ${now.toolCount} tools offered`);
    else out.note(FAILED, `${server.id}: ${problem ?? ''}`);
  }
}

async function reconnect(hub: Hub, { id }: ServerView, signal: AbortSignal) {
  try {
    return { now: await hub.servers.reconnect({ id }, { signal }) };
  } catch (error) {
    return { problem: toPlugError(error).message };
  }
}

export function commandRunner(session: HubSession): RunCommand {
  const { hub } = session;
  // A command lets go of its hub when it is done; the chat still needs it.
  const shared: Hub = {
    ...hub,
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const here: Session = { ...session, hubs: { ...session.hubs, connect: () => Promise.resolve(shared) } };
  return async (argv) => {
    const program = await buildProgram({
      argv,
      version: '',
      width: session.out.width,
      write: (text) => session.terminal.stdout.write(text),
      act: async (work) => void (await work(here)),
      actOnHub: async (work) => void (await work({ ...here, hub: shared })),
    });
    try {
      await program.parseAsync([...argv], { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      const failure = usageError(error, argv);
      if (failure) throw failure;
    }
  };
}

interface SlashWord {
  readonly word: string;
  readonly takes: string;
  readonly says: string;
}

export const SLASH_WORDS: readonly SlashWord[] = [
  { word: '/mcp', takes: 'list | tools | add …', says: 'manage servers; /mcp alone lists its commands' },
  {
    word: '/setup',
    takes: '[what you want]',
    says: 'set up servers in your own words; alone, until /chat',
  },
  { word: '/chat', takes: '', says: 'return to the model after /setup' },
  {
    word: '/servers',
    takes: '[a,b | all]',
    says: 'choose servers for the next messages; @name chooses for one',
  },
  { word: '/model', takes: '[name]', says: 'list models, or switch to one' },
  { word: '/cost', takes: '', says: 'show tokens, calls and cost, per turn and in total' },
  { word: '/save', takes: '[file]', says: 'save the conversation as Markdown' },
  { word: '/retry', takes: '', says: 'send the last message again' },
  { word: '/new', takes: '', says: 'start over: the model forgets the conversation' },
  { word: '/verbose', takes: '', says: 'show reasoning, results and why a call was allowed' },
  { word: '/help', takes: '', says: 'show this list' },
  { word: '/quit', takes: '', says: 'leave, as Ctrl-D does' },
];

export const MCP_WORDS: readonly SlashWord[] = [
  { word: 'list', takes: '', says: 'list servers and their states' },
  { word: 'tools', takes: '[server]', says: 'list tools' },
  { word: 'refresh', takes: '[server]', says: 'reload config files and tool lists' },
  {
    word: 'allow',
    takes: 'server [tool]',
    says: 'run a tool, or a server’s read-only tools, without asking in this session; --always keeps it',
  },
  { word: 'revoke', takes: 'server [tool]', says: 'undo allow' },
  { word: 'add', takes: 'anything', says: 'add a server' },
  { word: 'remove', takes: 'server', says: 'remove a server' },
  { word: 'status', takes: '[server]', says: 'show states, and what needs you' },
  { word: 'doctor', takes: '[server]', says: 'find problems' },
];
