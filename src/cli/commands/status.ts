import type { Hub, HubStatus, ServerView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import type { Output } from '../output.ts';
import { renderBytes } from '../render/bytes.ts';
import { renderStderr } from '../render/error.ts';
import { needsAttention, nextStep, renderState } from '../render/state.ts';
import { sourceText } from '../render/server-list.ts';
import { textOf } from '../render/text.ts';
import { withServerName, type Session } from '../session.ts';

/** `plug status`: one line, then each server that needs somebody. */
export async function status(hub: Hub, { out, clock }: Session): Promise<ExitCode> {
  const [summary, { servers, overall }, waiting] = await Promise.all([
    hub.status(),
    hub.servers.list(),
    hub.approvals.list(),
  ]);
  const attention = servers.filter(needsAttention);
  out.document({ ...summary, overall, attention, approvals: waiting.map(({ id }) => id) });
  out.line(statusLine(summary, servers));
  for (const server of attention) renderAttention(server, out, clock.now());
  if (waiting.length > 0) {
    const calls = waiting.length === 1 ? '1 call waits' : `${waiting.length} calls wait`;
    out.line({ style: 'warn', text: '◐ ' }, `${calls} for your answer.`);
    out.line({ style: 'faint', text: '  next  ' }, 'plug approvals');
  }
  return exitCodes.ok;
}

/** `6 ready · 1 asleep · 1 needs you · 42 tools` */
export function statusLine({ tools }: Pick<HubStatus, 'tools'>, servers: readonly ServerView[]): string {
  if (servers.length === 0) return 'no servers yet · plug add NAME -- COMMAND';
  const counts = new Map<string, number>();
  for (const server of servers) {
    const word = needsAttention(server) ? 'needs you' : server.state.kind;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const order = ['ready', 'degraded', 'starting', 'asleep', 'disabled', 'needs you'];
  const parts = order
    .filter((word) => counts.has(word))
    .map(
      (word) => `${counts.get(word)} ${word === 'needs you' && counts.get(word) !== 1 ? 'need you' : word}`,
    );
  return [...parts, `${tools} ${tools === 1 ? 'tool' : 'tools'}`].join(' · ');
}

function renderAttention(server: ServerView, out: Output, now: number): void {
  const { symbol, words, style } = renderState(server, now);
  const next = nextStep(server);
  out.line({ style, text: `${symbol} ` }, `${server.id}: ${words}. ${server.state.reason}`);
  if (next !== undefined) out.line({ style: 'faint', text: '  next  ' }, next);
}

/** `plug status SERVER`: what the server says about itself, and how it fares. */
export async function serverStatus(hub: Hub, name: string, { out, clock, cwd }: Session): Promise<ExitCode> {
  const server = await withServerName(hub, name, () => hub.servers.get(name));
  out.document(server);
  if (out.json) return exitCodes.ok;
  const { symbol, words, style } = renderState(server, clock.now());
  out.line({ style, text: `${symbol} ` }, { style: 'strong', text: server.id }, ` ${words}`);
  for (const [label, text] of detailsOf(server, cwd)) {
    if (text !== undefined && text !== '') out.line({ style: 'faint', text: `  ${label.padEnd(9)} ` }, text);
  }
  if (server.state.kind === 'failed') renderStderr(server.state.stderr, out);
  for (const problem of server.problems) out.line({ style: 'warn', text: '  ⚠ ' }, problem);
  return exitCodes.ok;
}

function detailsOf(server: ServerView, cwd: string): readonly (readonly [string, string | undefined])[] {
  const { serverInfo, process } = server;
  const about =
    serverInfo &&
    `${textOf(serverInfo['title'] ?? serverInfo['name'])} ${textOf(serverInfo['version'])}`.trim();
  const protocol = server.protocolVersion && `MCP ${server.protocolVersion} (${server.era ?? 'unknown'} era)`;
  return [
    ['why', server.state.reason],
    ['next', nextStep(server)],
    ['server', about],
    ['protocol', protocol],
    [server.transport === 'stdio' ? 'runs' : 'contacts', server.target],
    ['account', server.account],
    ['trust', TRUST[server.trust]],
    ['source', sourceText(server, cwd)],
    ['tools', `${server.toolsOffered} of ${server.toolCount} offered${server.readOnly ? ', read-only' : ''}`],
    [
      'process',
      process && `${process.pid}, ${process.processes} in all, ${renderBytes(process.memoryBytes)}`,
    ],
    ['warning', process?.warning],
    ['says', server.instructions],
  ];
}

const TRUST: Readonly<Record<ServerView['trust'], string>> = {
  kept: 'what reads runs without asking',
  session: 'what reads runs without asking, until the hub stops',
  none: 'none; every call asks',
};
