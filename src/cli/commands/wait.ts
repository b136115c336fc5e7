import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { exitCodeOfServers } from '../readiness.ts';
import { renderServerList } from '../render/server-list.ts';
import { unknownServer, type Session } from '../session.ts';

/** `plug wait`: starts servers and returns when each is ready or has failed. */
export async function wait(
  hub: Hub,
  { names, timeout: timeoutMs }: { readonly names: readonly string[]; readonly timeout?: number },
  { out, clock, cwd, signal, terminal }: Session,
): Promise<ExitCode> {
  const known = (await hub.servers.list()).servers.map((server) => server.id);
  const missing = names.find((name) => !known.includes(name));
  if (missing !== undefined) throw unknownServer(missing, known);
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
  if (wanted.length === 0) out.line('There is no server to wait for.');
  else if (!out.json) renderServerList({ ...list, servers: wanted }, out, { now: clock.now(), cwd });
  return wanted.length === 0 ? exitCodes.ok : exitCodeOfServers(wanted);
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
