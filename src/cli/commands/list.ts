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
  } else renderServerList(found, out, { now: clock.now(), cwd, tokens: await countTokens(hub) });
  renderListProblems(found, out);
  return exitCodes.ok;
}

/** What each server costs a model that is shown all its tools, as far as it was counted. */
async function countTokens(hub: Hub): Promise<ReadonlyMap<string, number>> {
  const { tools } = await hub.tools.list();
  const sums = new Map<string, number>();
  for (const { server, tokens = 0 } of tools) sums.set(server, (sums.get(server) ?? 0) + tokens);
  return sums;
}
