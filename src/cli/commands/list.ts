import type { Hub } from '../../hub/hub.ts';
import { exitCodeOfServers, type ExitCode } from '../exit-codes.ts';
import { firstSteps, ownCommand } from '../own-command.ts';
import { renderListProblems, renderServerList } from '../render/server-list.ts';
import { serversWith, type HubSession, type Names } from '../session.ts';

export async function list(session: HubSession): Promise<void> {
  const { hub, out, clock, cwd } = session;
  const found = await hub.servers.list();
  if (out.document(found)) return;
  if (found.servers.length === 0) {
    out.line('There are no servers yet.');
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
    hub.servers.waitUntilReady(
      { ...(names.length > 0 ? { ids: names } : {}), ...(timeoutMs === undefined ? {} : { timeoutMs }) },
      {
        signal,
        onProgress: ({ ready, total, server, state }) => {
          say(`ready; ${server} is ${state.kind}`, { done: ready, total });
          const line = `${ready}/${total} ready; ${server} is ${state.kind}`;
          if (plain && SETTLED.has(state.kind) && line !== told) out.note(line);
          told = line;
        },
      },
    ),
  );
  const wanted = list.servers.filter((server) =>
    names.length > 0 ? names.includes(server.id) : server.enabled && !server.untrusted,
  );
  out.document({ ...list, servers: wanted });
  if (wanted.length === 0) return out.line('There is no server to wait for.');
  if (!out.json) renderServerList({ ...list, servers: wanted }, out, { now: clock.now(), cwd });
  return exitCodeOfServers(wanted);
}

/** Off a terminal a server is told of when it has got somewhere, and not at each step. */
const SETTLED: ReadonlySet<string> = new Set([
  'ready',
  'degraded',
  'failed',
  'needs-sign-in',
  'needs-input',
  'quarantined',
]);
