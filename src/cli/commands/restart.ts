import type { Hub, ServerView } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { exitCodeOfServers } from '../readiness.ts';
import { renderState } from '../render/state.ts';
import { withServerName, type Session } from '../session.ts';
import { usage } from '../failures.ts';

/** `plug restart SERVER…` and `plug restart --failed`. */
export async function restart(
  hub: Hub,
  { names, failed = false }: { readonly names: readonly string[]; readonly failed?: boolean },
  { out, clock, signal }: Session,
): Promise<ExitCode> {
  if (failed === names.length > 0) {
    throw usage(
      'Name the servers to restart, or say --failed.',
      'plug restart SERVER, or plug restart --failed',
    );
  }
  const restarted = failed
    ? await out.working('Restarting what has failed', () => hub.servers.restartFailed())
    : names;
  const servers: ServerView[] = [];
  for (const name of restarted) {
    const view = failed
      ? await hub.servers.get({ id: name })
      : await out.working(`Restarting ${name}`, () =>
          withServerName(hub, name, () => hub.servers.restart({ id: name }, { signal })),
        );
    const { symbol, words, style } = renderState(view, clock.now());
    out.line({ style, text: `${symbol} ` }, `${view.id}: ${words}`);
    servers.push(view);
  }
  if (restarted.length === 0) out.line('No server has failed.');
  out.document({ restarted, servers });
  return failed ? exitCodes.ok : exitCodeOfServers(servers);
}
