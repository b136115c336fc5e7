import { renderOutcome } from '../commands/import.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cliLimits } from '../limits.ts';
import { renderServerList } from '../render/server-list.ts';
import type { HubSession } from '../session.ts';
import type { Find } from './begin.ts';

export async function takeOver(
  picked: readonly Find[],
  plug: string,
  session: HubSession,
): Promise<ExitCode> {
  const { hub, out, clock, cwd, signal } = session;
  const pick = picked.map(({ ref, fingerprint }) => ({ ref, fingerprint }));
  const outcome = await out.working(`Importing ${pick.length} servers`, () => hub.imports.run({ pick }));
  renderOutcome(outcome, out, { next: false });
  const ids = outcome.imported.map(({ id }) => id);
  if (ids.length === 0) return exitCodes.failed;
  const list = await out.working('Starting them', (say) =>
    hub.servers.waitUntilReady(
      { ids, timeoutMs: cliLimits.firstRunWaitMs },
      {
        signal,
        onProgress: ({ ready, total, server, state }) =>
          say(`ready; ${server} is ${state.kind}`, { done: ready, total }),
      },
    ),
  );
  const servers = list.servers.filter(({ id }) => ids.includes(id));
  out.line('');
  renderServerList({ ...list, servers }, out, { now: clock.now(), cwd });
  const works = servers.find(({ state }) => state.kind === 'ready' || state.kind === 'degraded');
  out.line('');
  out.line(`Try: ${plug} tools${works ? ` ${works.id}` : ''}, ${plug} chat, or ${plug} connect CLIENT`);
  return outcome.failed.length > 0 ? exitCodes.failed : exitCodes.ok;
}
