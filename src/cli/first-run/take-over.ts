import { renderOutcome } from '../commands/import.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { whole } from '../output.ts';
import { checkImported, renderChecklist } from '../render/import-checklist.ts';
import type { HubSession } from '../session.ts';
import type { Find } from './begin.ts';

export async function takeOver(
  picked: readonly Find[],
  plug: string,
  session: HubSession,
): Promise<ExitCode> {
  const { hub, out } = session;
  const pick = picked.map(({ ref, fingerprint }) => ({ ref, fingerprint }));
  const outcome = await out.working(`Importing ${pick.length} servers`, () => hub.imports.run({ pick }));
  renderOutcome(outcome, out);
  if (outcome.imported.length === 0) return exitCodes.failed;
  const checklist = await checkImported(outcome, session);
  renderChecklist(checklist, out);
  const works = checklist.find(({ is }) => is === 'fine');
  out.line('');
  const tools = whole(`${plug} tools${works ? ` ${works.id}` : ''}`);
  out.line('Try: ', tools, ', ', whole(`${plug} chat`), ', or ', whole(`${plug} connect CLIENT`));
  return outcome.failed.length > 0 ? exitCodes.failed : exitCodes.ok;
}
