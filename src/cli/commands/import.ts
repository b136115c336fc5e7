import type { ImportFind, ImportOutcome, ImportPreview } from '../../hub/plans.ts';
import { tick } from '../choose.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cancelled, usage } from '../failures.ts';
import { DONE, FAILED, WARNING, faint, strong, type Output, type Piece } from '../output.ts';
import { checkImported, renderChecklist } from '../render/import-checklist.ts';
import { shortHome, withShortHome } from '../render/path.ts';
import { flexible, printTable } from '../render/table.ts';
import type { Flags, HubSession, Session, Texts } from '../session.ts';

type ImportArgs = Texts<'client'> & Flags<'all' | 'yes' | 'dryRun' | 'follow'>;

export async function importFromClients(args: ImportArgs, session: HubSession): Promise<ExitCode | void> {
  const { hub, out } = session;
  const { client, dryRun = false, follow = false } = args;
  const query = client === undefined ? {} : { clients: [client] };
  const preview = await out.working('Looking at the other clients', () => hub.imports.scan(query));
  const open = preview.found.filter(({ skipped }) => skipped === undefined);
  if (!out.json) renderPreview(preview, follow, out);
  if (dryRun || open.length === 0) {
    out.document({ ...preview, imported: [], dryRun });
    if (open.length === 0) out.line(nothingNew(preview, client));
    else out.line(faint(`Next: plug import${client ? ` ${client}` : ' --all'}${follow ? ' --follow' : ''}`));
    return preview.problems.length > 0 ? exitCodes.failed : undefined;
  }
  const chosen = await choose(open, args, session);
  if (chosen.length === 0) throw cancelled('Nothing was imported.');
  const pick = chosen.map(({ ref, fingerprint }) => ({ ref, fingerprint }));
  const outcome = await out.working(`Importing ${pick.length} servers`, () =>
    hub.imports.run({ ...query, pick, follow }),
  );
  if (!out.json) renderOutcome(outcome, out);
  const checklist = await checkImported(outcome, session);
  out.document({ ...preview, ...outcome, checklist });
  renderChecklist(checklist, out);
  return outcome.failed.length + preview.problems.length > 0 ? exitCodes.failed : undefined;
}

async function choose(open: readonly ImportFind[], { client, yes, all = yes }: ImportArgs, session: Session) {
  if (all) return open;
  if (!session.terminal.interactive) {
    if (client !== undefined) return open;
    throw usage('Without a terminal, say what to import.', 'plug import --all, or plug import CLIENT', {
      clients: [...new Set(open.map((find) => find.client))],
    });
  }
  const count = open.length === 1 ? 'this server' : `all ${open.length}`;
  const answer = await session.terminal.ask(`Import ${count}, pick, or none? [a/p/N] `, session.signal);
  if (/^(a|all|y|yes)$/i.test(answer.trim())) return open;
  if (!/^(p|pick)$/i.test(answer.trim())) return [];
  const label = ({ id, client: from, target }: ImportFind): string => `${id} (${from}) ${target}`;
  return await tick(session, { items: open, label, ticked: () => false });
}

function renderPreview(
  { found, nearMisses, leftOut, problems }: ImportPreview,
  follow: boolean,
  out: Output,
): void {
  if (found.length > 0) {
    const rows = found.map((find): readonly Piece[] => [
      find.skipped === undefined ? { text: '+', style: 'good' } : faint('–'),
      find.id,
      faint(`${find.client}${find.scope === 'user' ? '' : ` (${find.scope})`}`),
      find.target,
      { text: noteOf(find, follow), style: find.skipped === undefined ? 'warn' : 'faint' },
    ]);
    const columns = ['', 'SERVER', 'FROM', flexible('RUNS OR CONTACTS'), flexible('NOTE')];
    printTable(out, columns, rows);
  }
  const open = found.filter(({ skipped }) => skipped === undefined);
  for (const find of open) renderFields(find, out);
  for (const { id, warnings, references } of open) {
    for (const text of [...references.map(({ says }) => says), ...warnings])
      out.note(WARNING, `${id}: ${text}`);
  }
  for (const { file, servers, why } of nearMisses)
    out.note(WARNING, `${shortHome(file)} names ${servers.join(', ')}, but it’s ignored: ${why}`);
  for (const { client, server, why } of leftOut)
    out.note(WARNING, `${server} (${client}) was left out: ${why}`);
  for (const { message } of problems) out.note(FAILED, withShortHome(message));
}

function renderFields({ id, fields, references }: ImportFind, out: Output): void {
  // An address without headers and placeholders stands in the table already.
  if (references.length === 0 && fields.every(({ field }) => field === 'url')) return;
  out.line(strong(id));
  const width = Math.max(...fields.map(({ field }) => field.length));
  for (const { field, text } of fields) out.line(faint(`  ${field.padEnd(width)}  `), text);
}

function noteOf({ skipped, keys, enabled }: ImportFind, follow: boolean): string {
  if (skipped !== undefined) return skipped;
  const where = keys.map((key) => key.where).join(', ');
  const key = keys.length === 0 ? '' : `readable key in ${where}${follow ? '' : ' → vault'}`;
  return [key, enabled ? '' : 'disabled there'].filter((part) => part !== '').join('; ');
}

function nothingNew({ found, files }: ImportPreview, client: string | undefined): string {
  if (found.length > 0) return 'Nothing new: these servers are already here, or can’t be imported.';
  const looked = files.length === 0 ? '' : ` (checked ${files.length} of its files)`;
  if (client !== undefined) return `${client} has no servers on this machine${looked}.`;
  return 'No client on this machine has servers to import.';
}

export function renderOutcome({ imported, skipped, failed }: ImportOutcome, out: Output): void {
  for (const { id, renamedFrom, keys, follows } of imported) {
    const was = renamedFrom === undefined ? '' : `, called ${renamedFrom} there`;
    const sealed = keys.length === 1 ? '; its key is in the vault' : '; its keys are in the vault';
    const vault = keys.length === 0 ? '' : sealed;
    const file = follows === undefined ? '' : `; it follows ${shortHome(follows)}`;
    out.line(DONE, `${id} is imported${was}${vault}${file}.`);
  }
  for (const { ref, why } of skipped) out.line(faint(`– ${ref}: ${why}`));
  for (const { ref, error } of failed)
    if (!out.json) out.note(FAILED, `${ref} was not imported: ${error.message}`);
  if (imported.some(({ keys }) => keys.length > 0))
    out.line(faint('The other files still contain those keys in plain text: remove them when you’re ready.'));
}
