import { usage } from '../failures.ts';
import { PlugError, toPlugError } from '../../base/errors.ts';
import { didYouMean, suggest } from '../../base/suggest.ts';
import type { GrantView, Hub, ServerView } from '../../hub/hub.ts';
import { withServerName, type Session } from '../session.ts';
import { canonicalRef } from '../tool-lookup.ts';
import { MCP_WORDS } from './slash-words.ts';
import { DONE, FAILED, strong } from '../output.ts';

/** Runs a command of `plug` inside the chat. */
export type RunCommand = (argv: readonly string[]) => Promise<void>;

/** `/mcp …`: the commands for servers, as in the shell. */
export async function mcp(
  hub: Hub,
  words: readonly string[],
  session: Session,
  run: RunCommand,
): Promise<void> {
  const [word = '', ...rest] = words;
  const [server, tool] = rest;
  switch (word) {
    case '':
      return renderMcpHelp(session);
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
      return await refresh(hub, server, session);
    case 'allow':
      if (server === undefined)
        throw usage('Say which server, and perhaps which tool.', '/mcp allow SERVER [TOOL]');
      return await run(['grants', 'add', ...ref(server, tool)]);
    case 'revoke':
      if (server === undefined)
        throw usage('Say which server, and perhaps which tool.', '/mcp revoke SERVER [TOOL]');
      return await run(['grants', 'revoke', ...(await grantsFor(hub, server, tool))]);
    default: {
      const near = suggest(
        word,
        MCP_WORDS.map((one) => one.word),
      );
      throw usage(`There is no /mcp ${word}. ${didYouMean(near.map((one) => `/mcp ${one}`))}`.trim(), '/mcp');
    }
  }
}

function renderMcpHelp({ out }: Session): void {
  for (const { word, takes, says } of MCP_WORDS)
    out.line(strong(`  /mcp ${`${word} ${takes}`.padEnd(22)}`), says);
}

/** `server tool`, or `server/tool` in one word; options come after. */
function ref(server: string, tool: string | undefined): readonly string[] {
  return [tool === undefined || server.includes('/') ? server : `${server}/${tool}`];
}

/** A grant by its id, or every grant for a server or for one of its tools. */
async function grantsFor(hub: Hub, given: string, tool: string | undefined): Promise<readonly string[]> {
  const all = await hub.grants.list();
  if (all.some(({ id }) => id === given)) return [given];
  const [server = '', ...after] = (await canonicalRef(hub, given)).split('/');
  const name = tool ?? (after.length > 0 ? after.join('/') : undefined);
  await withServerName(hub, server, () => hub.servers.get({ id: server }));
  const found = all.filter((grant) => grant.serverId === server && isFor(grant, name)).map(({ id }) => id);
  if (found.length > 0) return found;
  const what = name === undefined ? server : `${server}/${name}`;
  throw new PlugError('not_found', `Nothing is granted for ${what}.`, {
    owner: 'you',
    remedy: { do: 'show', what: 'grants' },
  });
}

function isFor({ scope }: GrantView, tool: string | undefined): boolean {
  return tool === undefined || (scope.kind !== 'reads' && scope.tool === tool);
}

/** Config files are read again, and servers that run say anew what they offer. None is started for it. */
async function refresh(hub: Hub, name: string | undefined, session: Session): Promise<void> {
  const { out, signal } = session;
  const { added, removed, changed, errors } = await hub.servers.reload();
  const { servers } = await hub.servers.list();
  const wanted =
    name === undefined
      ? servers.filter(isLive)
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

async function reconnect(
  hub: Hub,
  { id }: ServerView,
  signal: AbortSignal,
): Promise<{ readonly now?: ServerView; readonly problem?: string }> {
  try {
    return { now: await hub.servers.reconnect({ id }, { signal }) };
  } catch (error) {
    return { problem: toPlugError(error).message };
  }
}

function isLive({ state, enabled }: ServerView): boolean {
  return enabled && (state.kind === 'ready' || state.kind === 'degraded');
}
