import type { CallDisplay, HubEvent } from '../../hub/hub.ts';
import { faint } from '../output.ts';
import type { HubSession } from '../session.ts';

export interface EventsArgs {
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
  if (found.length === 0) out.line('Nothing has happened yet.');
  for (const event of found.toReversed()) {
    const at = new Date(event.at).toISOString();
    out.line(faint(`${at} `), `${event.server} ${event.kind} by ${event.by}: ${event.reason}`);
  }
}

async function followEvents(
  server: string | undefined,
  { hub, out, terminal, clock, signal }: HubSession,
): Promise<void> {
  for await (const event of hub.watch({ signal })) {
    if (!terminal.stdout.isOpen) break; // such as: plug events --follow | head
    if (server !== undefined && 'server' in event && event.server !== server) continue;
    out.record(event);
    out.line(faint(`${new Date(clock.now()).toISOString()} `), renderEvent(event));
  }
}

function renderEvent(event: HubEvent): string {
  switch (event.kind) {
    case 'server-state':
      return `${event.server} is ${event.state.kind}: ${event.state.reason}`;
    case 'manifest-change':
      return `${event.server} changed its tools: ${count(event.added, 'added')}, ${count(event.removed, 'removed')}, ${count(event.changed, 'changed')}`;
    case 'tools-change':
      return 'what is offered of tools changed';
    case 'config-change':
      return `config files changed: ${count(event.outcome.added, 'added')}, ${count(event.outcome.removed, 'removed')}, ${count(event.outcome.changed, 'changed')}`;
    case 'server-log':
      return `${event.server} [${event.level}] ${typeof event.data === 'string' ? event.data : JSON.stringify(event.data)}`;
    case 'resource-update':
      return `${event.server} updated ${event.uri}`;
    case 'approval-request':
      return `${event.server}/${event.approval.tool} waits for an answer: plug approve ${event.approval.id}`;
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
  waiting: 'waiting for an answer to',
  completed: 'completed',
  failed: 'failed:',
  timed_out: 'timed out:',
  cancelled: 'cancelled:',
  refused: 'refused:',
};

function count(names: readonly string[], what: string): string {
  return `${names.length} ${what}`;
}
