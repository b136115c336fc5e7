import type { Hub } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { renderListProblems, renderServerList } from '../render/server-list.ts';
import { firstSteps } from '../first-steps.ts';
import { ownCommand } from '../own-command.ts';
import type { Session } from '../session.ts';

/** `plug list`: every server, its state, and what to do about it. */
export async function list(hub: Hub, session: Session): Promise<ExitCode> {
  const { out, clock, cwd } = session;
  const found = await hub.servers.list();
  out.document(found);
  if (out.json) return exitCodes.ok;
  if (found.servers.length === 0) {
    out.line('There are no servers yet.');
    for (const line of firstSteps(ownCommand(session))) out.line(line);
  } else renderServerList(found, out, { now: clock.now(), cwd });
  renderListProblems(found, out);
  return exitCodes.ok;
}
