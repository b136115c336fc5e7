import { defined } from '../../base/defined.ts';
import { sizeInWords } from '../../base/size-in-words.ts';
import type { Hub, HubStatus, ServerView } from '../../hub/hub.ts';
import { exitCodeOfServers, type ExitCode } from '../exit-codes.ts';
import { faint, strong, whole, type Output } from '../output.ts';
import { firstSteps, ownCommand } from '../own-command.ts';
import { renderStderr, stepText } from '../render/error.ts';
import { proseLines } from '../render/prose.ts';
import { renderListProblems, renderServerList, sourceText } from '../render/server-list.ts';
import { needsAttention, nextStep, renderState, statePieces } from '../render/state.ts';
import { shortMoment, textOrJson } from '../render/text.ts';
import { serversWith, withServerName, type HubSession, type Names, type OfServer } from '../session.ts';

export async function list(session: HubSession): Promise<void> {
  const { hub, out, clock, cwd } = session;
  const found = await hub.servers.list();
  if (out.document(found)) return;
  if (found.servers.length === 0) {
    out.line('No servers yet.');
    for (const line of firstSteps(ownCommand(session))) out.line(line);
  } else renderServerList(found, out, { now: clock.now(), cwd, tokens: await countTokens(hub) });
  renderListProblems(found, out);
}

async function countTokens(hub: Hub): Promise<ReadonlyMap<string, number>> {
  const { tools } = await hub.tools.list();
  const sums = new Map<string, number>();
  for (const { server, tokens = 0 } of tools) sums.set(server, (sums.get(server) ?? 0) + tokens);
  return sums;
}

export async function wait(
  { names, timeout: timeoutMs }: Names & { readonly timeout?: number },
  { hub, out, clock, cwd, signal, terminal }: HubSession,
): Promise<ExitCode | void> {
  await serversWith(hub, names);
  const plain = !terminal.stderr.isTerminal && !out.json;
  let told = '';
  const list = await out.working('Starting servers', (say) =>
    hub.servers.waitUntilReady(defined({ ids: names.length > 0 ? names : undefined, timeoutMs }), {
      signal,
      onProgress: ({ ready, total, server, state }) => {
        say(`ready; ${server} is ${state.kind}`, { done: ready, total });
        const line = `${ready}/${total} ready; ${server} is ${state.kind}`;
        if (plain && SETTLED.has(state.kind) && line !== told) out.note(line);
        told = line;
      },
    }),
  );
  const wanted = list.servers.filter((server) =>
    names.length > 0 ? names.includes(server.id) : server.enabled && !server.untrusted,
  );
  out.document({ ...list, servers: wanted });
  if (wanted.length === 0) return out.line('No servers to wait for.');
  if (!out.json) renderServerList({ ...list, servers: wanted }, out, { now: clock.now(), cwd });
  return exitCodeOfServers(wanted);
}

const SETTLED: ReadonlySet<string> = new Set([
  'ready',
  'degraded',
  'failed',
  'needs-sign-in',
  'needs-input',
  'quarantined',
]);

export async function status({ server: name }: OfServer, session: HubSession): Promise<void> {
  if (name !== undefined) return await serverStatus(name, session);
  const { hub, out, clock } = session;
  const [summary, { servers, overall }, waiting] = await Promise.all([
    hub.status(),
    hub.servers.list(),
    hub.approvals.list(),
  ]);
  const attention = servers.filter(needsAttention);
  out.document({ ...summary, overall, attention, approvals: waiting.map(({ id }) => id) });
  out.line(statusLine(summary, servers));
  if (summary.readOnly) {
    out.line({ style: 'warn', text: '◐ ' }, 'Read-only mode is on: only read-only tools are listed and run.');
    out.line(faint('  next  '), 'plug read-only off');
  }
  for (const server of attention) renderAttention(server, out, clock.now());
  if (waiting.length > 0) {
    const calls = waiting.length === 1 ? '1 call waits' : `${waiting.length} calls wait`;
    out.line({ style: 'warn', text: '◐ ' }, `${calls} for your approval.`);
    out.line(faint('  next  '), 'plug approvals');
  }
}

/** `6 ready · 1 asleep · 42 tools`, or `4/6 ready · failed: figma · need you: notion · 42 tools`. */
export function statusLine({ tools }: Pick<HubStatus, 'tools'>, servers: readonly ServerView[]): string {
  if (servers.length === 0) return 'no servers yet · plug add NAME -- COMMAND';
  const of = (group: Group): readonly ServerView[] => servers.filter((one) => groupOf(one) === group);
  const [ready, failed, needing, starting] = [of('ready'), of('failed'), of('needing'), of('starting')];
  const wanted = servers.length - of('disabled').length;
  if (failed.length === wanted && wanted > 0)
    return wanted === 1
      ? `${failed[0]?.id} failed · plug doctor ${failed[0]?.id}`
      : `all ${wanted} servers failed · plug doctor`;
  const whole = failed.length + needing.length + starting.length === 0;
  const counted = [of('degraded'), of('asleep'), of('disabled')].filter((group) => group.length > 0);
  const count = `${tools} ${tools === 1 ? 'tool' : 'tools'}`;
  return [
    ...(starting.length > 0 ? [`starting: ${ready.length}/${wanted} ready`] : []),
    ...(starting.length === 0 && !whole ? [`${ready.length}/${wanted} ready`] : []),
    ...(whole && ready.length > 0 ? [`${ready.length} ready`] : []),
    ...counted.map((group) => `${group.length} ${group[0]?.state.kind}`),
    ...(failed.length > 0 ? [`failed: ${namesOf(failed)}`] : []),
    ...(needing.length > 0 ? [`${needing.length === 1 ? 'needs' : 'need'} you: ${namesOf(needing)}`] : []),
    count,
  ].join(' · ');
}

type Group = 'ready' | 'degraded' | 'starting' | 'asleep' | 'disabled' | 'failed' | 'needing';

function groupOf(server: ServerView): Group {
  const { kind } = server.state;
  const needs = kind === 'needs-sign-in' || kind === 'needs-input' || kind === 'quarantined';
  return server.untrusted || needs ? 'needing' : kind;
}

const NAMED_MAX = 3;

function namesOf(servers: readonly ServerView[]): string {
  const names = servers.slice(0, NAMED_MAX).map(({ id }) => id);
  const more = servers.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function renderAttention(server: ServerView, out: Output, now: number): void {
  const [symbol, words] = statePieces(server, now);
  const next = nextStep(server);
  for (const line of proseLines([symbol], `${words}. ${server.state.reason}`, out.width)) out.line(...line);
  if (next !== undefined) out.line(faint('  next  '), stepText(next));
}

async function serverStatus(name: string, { hub, out, clock, cwd }: HubSession): Promise<void> {
  const server = await withServerName(hub, name, () => hub.servers.get({ id: name }));
  if (out.document(server)) return;
  const { symbol, words, style } = renderState(server, clock.now());
  out.line({ style, text: `${symbol} ` }, strong(server.id), ` ${words}`);
  for (const [label, text] of detailsOf(server, cwd)) {
    if (text === undefined || text === '') continue;
    const lead = faint(`  ${label.padEnd(9)} `);
    // A command or a path stays on one line, so that it can be copied.
    const lines = WRAPPED.has(label) ? proseLines([lead], text, out.width) : [[lead, whole(text)]];
    for (const line of lines) out.line(...line);
  }
  if (server.state.kind === 'failed') renderStderr(server.state.stderr, out);
  for (const problem of server.problems) out.line({ style: 'warn', text: '  ⚠ ' }, problem);
}

const WRAPPED: ReadonlySet<string> = new Set(['why', 'says']);

function detailsOf(server: ServerView, cwd: string): readonly (readonly [string, string | undefined])[] {
  const { serverInfo, process } = server;
  const memory = sizeInWords(process?.memoryBytes ?? 0);
  const about =
    serverInfo &&
    `${textOrJson(serverInfo['title'] ?? serverInfo['name'])} ${textOrJson(serverInfo['version'])}`.trim();
  const protocol = server.protocolVersion && `MCP ${server.protocolVersion} (${server.era ?? 'unknown'} era)`;
  return [
    ['why', server.state.reason],
    ['next', nextStep(server)],
    ['server', about],
    ['version', versionText(server)],
    ['protocol', protocol],
    [server.transport === 'stdio' ? 'runs' : 'contacts', server.target],
    ['account', server.account],
    ['trust', TRUST[server.trust]],
    ['source', sourceText(server, cwd)],
    ['tools', `${server.toolsOffered} of ${server.toolCount} offered${server.readOnly ? ', read-only' : ''}`],
    ['process', process && `${process.pid}, ${process.processes} in all, ${memory}`],
    ['says', server.instructions],
  ];
}

/** `@scope/name 1.2.3 since 2026-11-01 08:00; 1.3.0 is out: plug update name`. */
function versionText({ id, version }: ServerView): string | undefined {
  const { package: pack, since, latest, reported } = version ?? {};
  const current = pack?.version ?? reported;
  if (pack === undefined && since === undefined) return undefined;
  const name = pack ? `${pack.name} ${pack.version ?? '(not pinned)'}` : (current ?? '');
  const from = since === undefined ? '' : `, since ${shortMoment(since)} UTC`;
  const isOld = pack?.version !== undefined && latest !== undefined && latest !== pack.version;
  return `${name}${from}${isOld ? `; ${latest} is out: plug update ${id}` : ''}`;
}

const TRUST: Readonly<Record<ServerView['trust'], string>> = {
  kept: 'read-only tools run without asking',
  session: 'read-only tools run without asking until the hub stops',
  none: 'none; every call asks',
};
