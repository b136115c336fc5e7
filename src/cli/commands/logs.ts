import { limits } from '../../base/limits.ts';
import type { CallDisplay, HubEvent, ServerLog } from '../../hub/hub.ts';
import { usage } from '../failures.ts';
import { cliLimits } from '../limits.ts';
import { WARNING, faint, strong, whole, type Output } from '../output.ts';
import { serversWith, withServerName, type HubSession, type Names } from '../session.ts';

interface LogsArgs extends Names {
  readonly lines: number;
  readonly follow?: boolean;
}

export async function logs(args: LogsArgs, session: HubSession): Promise<void> {
  if (args.follow) return await followLogs(args, session);
  const { names, lines } = args;
  const { hub, out } = session;
  if (names.length === 0)
    throw usage('Name a server to show its log.', 'plug logs SERVER, or plug logs -f for all of them');
  const found: ServerLog[] = [];
  for (const name of names)
    found.push(await withServerName(hub, name, () => hub.servers.logs({ id: name, lines })));
  if (out.document(found.length === 1 ? found[0] : { logs: found })) return;
  for (const log of found) {
    if (found.length > 1) out.line(strong(log.server));
    if (log.stderr.length > 0) out.quote(log.stderr.join('\n'));
    renderNoise(log, out);
    if (log.stderr.length === 0 && log.noise.count === 0) out.note(`${log.server} has no log output.`);
  }
}

function renderNoise({ server, noise }: ServerLog, out: Output): void {
  if (noise.count === 0) return;
  const wrote = `${server} wrote ${noise.count} lines to stdout that aren’t MCP messages.`;
  out.note(WARNING, `${wrote} The last ones:`);
  for (const line of noise.lines) out.note(faint('  │ '), whole(line));
}

async function followLogs({ names, lines }: LogsArgs, session: HubSession): Promise<void> {
  const { hub, out, terminal, clock, signal } = session;
  const seen = new Map<string, ServerLog>();
  let views = await serversWith(hub, names);
  while (!signal.aborted && terminal.stdout.isOpen) {
    for (const { id } of views.filter((view) => names.length === 0 || names.includes(view.id))) {
      const log = await hub.servers.logs({ id, lines: limits.cliLinesMax });
      const before = seen.get(id);
      seen.set(id, log);
      const width = Math.max(...[...seen.keys()].map((name) => name.length));
      for (const line of before ? newLines(before, log) : log.stderr.slice(-lines)) {
        out.record({ server: id, line });
        out.line(faint(names.length === 1 ? '│ ' : `${id.padEnd(width)} │ `), whole(line));
      }
    }
    try {
      await clock.sleep(cliLimits.logsPollMs, signal);
      views = (await hub.servers.list()).servers;
    } catch (error) {
      if (signal.aborted) break;
      throw error;
    }
  }
}

/** A restarted server begins a log of its own. */
export function newLines(before: ServerLog, after: ServerLog): readonly string[] {
  return before.pid === after.pid ? freshLines(before.stderr, after.stderr) : after.stderr;
}

/** Lines since `before`. The oldest may be gone; a half-written last line counts once it is whole. */
function freshLines(before: readonly string[], after: readonly string[]): readonly string[] {
  for (let gone = 0; gone < before.length; gone += 1) {
    const kept = before.slice(gone);
    if (kept.length > after.length) continue;
    if (startsWith(after, kept)) return after.slice(kept.length);
    const last = kept.length - 1;
    const grown = startsWith(after, kept.slice(0, -1)) && after[last]?.startsWith(kept[last] ?? '');
    if (grown) return after.slice(last);
  }
  return after;
}

function startsWith(lines: readonly string[], first: readonly string[]): boolean {
  return first.every((line, index) => lines[index] === line);
}

interface EventsArgs {
  readonly server?: string;
  readonly lines: number;
  readonly follow?: boolean;
}

export async function events(args: EventsArgs, session: HubSession): Promise<void> {
  const { lines: limit, follow, ...of } = args;
  if (follow) return await followEvents(of.server, session);
  const { hub, out } = session;
  const found = await hub.servers.events({ limit, ...of });
  out.document({ events: found });
  if (found.length === 0) out.line('No events yet.');
  for (const event of found.toReversed()) {
    const at = new Date(event.at).toISOString();
    out.line(faint(`${at} `), `${event.server} ${event.kind} by ${event.by}: ${event.reason}`);
  }
}

async function followEvents(server: string | undefined, { hub, out, terminal, clock, signal }: HubSession) {
  for await (const event of hub.watch({ signal })) {
    if (!terminal.stdout.isOpen) break; // such as: plug events --follow | head
    if (server !== undefined && 'server' in event && event.server !== server) continue;
    if (event.kind === 'server-output') continue; // `plug logs --follow` shows what was written
    out.record(event);
    out.line(faint(`${new Date(clock.now()).toISOString()} `), renderEvent(event));
  }
}

function renderEvent(event: Exclude<HubEvent, { kind: 'server-output' }>): string {
  switch (event.kind) {
    case 'server-state':
      return `${event.server} is ${event.state.kind}: ${event.state.reason}`;
    case 'manifest-change':
      return `${event.server} changed its tools: ${count(event.added, 'added')}, ${count(event.removed, 'removed')}, ${count(event.changed, 'changed')}`;
    case 'tools-change':
      return 'the offered tools changed';
    case 'config-change':
      return `config files changed: ${count(event.outcome.added, 'added')}, ${count(event.outcome.removed, 'removed')}, ${count(event.outcome.changed, 'changed')}`;
    case 'server-log':
      return `${event.server} [${event.level}] ${typeof event.data === 'string' ? event.data : JSON.stringify(event.data)}`;
    case 'resource-update':
      return `${event.server} updated ${event.uri}`;
    case 'task-status':
      return `${event.server} has a task that is ${JSON.stringify(event.task['status'] ?? null)}`;
    case 'approval-request':
      return `${event.server}/${event.approval.tool} needs approval: plug approve ${event.approval.id}`;
    case 'approval-answer':
      return `${event.server}: the approval ${event.id} was ${event.outcome}`;
    case 'call':
      return callText(event.server, event.call);
    case 'events-dropped':
    default:
      return `${event.count} events were dropped because this reader was too slow`;
  }
}

function callText(server: string, { tool, state, durationMs }: CallDisplay): string {
  const after = durationMs === undefined ? '' : ` after ${Math.round(durationMs)} ms`;
  return `${CALL_STATES[state]} ${server}/${tool}${state === 'using' || state === 'waiting' ? ' …' : after}`;
}

const CALL_STATES: Readonly<Record<CallDisplay['state'], string>> = {
  using: 'using',
  waiting: 'waiting for approval of',
  completed: 'completed',
  failed: 'failed:',
  timed_out: 'timed out:',
  cancelled: 'cancelled:',
  refused: 'refused:',
};

function count(names: readonly string[], what: string): string {
  return `${names.length} ${what}`;
}
