import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderState } from '../render/state.ts';
import { withServerName, type Session } from '../session.ts';
import { usage } from '../failures.ts';

/** `plug stop SERVER…` and `plug stop --all`: they sleep until somebody needs them again. */
export async function stop(
  hub: Hub,
  { names, all = false }: { readonly names: readonly string[]; readonly all?: boolean },
  { out, clock }: Session,
): Promise<ExitCode> {
  if (all === names.length > 0) {
    throw usage('Name the servers to stop, or say --all.', 'plug stop SERVER, or plug stop --all');
  }
  const stopped = all ? await out.working('Stopping all servers', () => hub.servers.stopAll()) : names;
  const servers = [];
  for (const name of stopped) {
    const view = all
      ? await hub.servers.get({ id: name })
      : await out.working(`Stopping ${name}`, () =>
          withServerName(hub, name, () => hub.servers.stop({ id: name })),
        );
    const { symbol, words, style } = renderState(view, clock.now());
    out.line({ style, text: `${symbol} ` }, `${view.id}: ${words}`);
    servers.push(view);
  }
  if (stopped.length === 0) out.line('No server runs.');
  out.document({ stopped, servers });
  return exitCodes.ok;
}
