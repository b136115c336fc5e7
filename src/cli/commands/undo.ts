import type { ChangeView, UndoneFile, UndoneServer, UndoOutcome } from '../../hub/hub.ts';
import { DONE, faint, strong, WARNING, type Output } from '../output.ts';
import { renderDifference } from '../render/difference.ts';
import { shortHome } from '../render/path.ts';
import { flexible, printTable } from '../render/table.ts';
import { counted, shortMoment } from '../render/text.ts';
import { mustConfirm, type Flags, type HubSession } from '../session.ts';

type UndoArgs = Flags<'list' | 'dryRun' | 'force' | 'clear' | 'yes'>;

export async function undo(args: UndoArgs, session: HubSession): Promise<void> {
  if (args.clear) return await clear(args, session);
  if (args.list) return await list(session);
  const { hub, out } = session;
  const { force = false, dryRun = false } = args;
  const planned = await hub.changes.undo({ dryRun: true });
  if (!planned.change) {
    out.document(planned);
    return out.line('There is nothing to undo.');
  }
  const { change } = planned;
  if (!out.json) renderPlan(change, planned, out);
  if (dryRun) {
    out.document(planned);
    return;
  }
  const conflicts = [...planned.files, ...planned.servers].some(({ outcome }) => outcome === 'conflict');
  // What cannot be done is not asked about: the refusal says why.
  if (!conflicts || force) {
    await mustConfirm(session, 'Undo this?', { yes: args.yes, refused: 'Nothing was undone.' });
  }
  const done = await hub.changes.undo({ change: change.id, force });
  out.document(done);
  render(change, done, out);
}

function renderPlan({ says, at, unfinished }: ChangeView, planned: UndoOutcome, out: Output): void {
  const cut = unfinished ? ' It was cut off.' : '';
  out.line(strong('Last change: '), `${says}${cut} `, faint(shortMoment(at)));
  for (const file of planned.files) renderFile(file, out);
  for (const server of planned.servers) renderServer(server, out);
}

function renderFile({ path, outcome, change, why }: UndoneFile, out: Output): void {
  const file = shortHome(path);
  if (outcome === 'conflict') out.note(WARNING, `${file}: ${why ?? 'It changed since.'}`);
  if (outcome === 'same') out.line(faint(`${file} is unchanged.`));
  else if (change) renderDifference(outcome === 'removed' ? `${file} (goes)` : file, change, out);
  if (outcome === 'entry') out.line(faint('  It was written since: only our entry changes.'));
  if (outcome === 'conflict')
    out.line(faint('  This is what --force would do; the current file is kept beside it.'));
}

function renderServer({ id, outcome, fields, why }: UndoneServer, out: Output): void {
  if (outcome === 'conflict') return out.note(WARNING, why ?? `${id} changed since.`);
  out.line(strong(id), outcome === 'removed' ? ' is removed again' : ' as it was');
  for (const { field, before, after } of fields) {
    if (before !== undefined) out.line({ style: 'bad', text: `  - ${field}: ${before}` });
    if (after !== undefined) out.line({ style: 'good', text: `  + ${field}: ${after}` });
  }
}

function render({ says }: ChangeView, { files, todo, left }: UndoOutcome, out: Output): void {
  out.line(DONE, `Undone: ${says}`);
  for (const { path, backup } of files) {
    if (backup !== undefined)
      out.line(faint('  kept  '), `${shortHome(path)} as it was found: ${shortHome(backup)}`);
  }
  for (const line of todo) if (!out.json) out.note(WARNING, line);
  if (left > 0) out.line(faint(`${counted(left, 'earlier change')} can be undone: plug undo --list`));
}

async function list({ hub, out }: HubSession): Promise<void> {
  const changes = await hub.changes.list();
  out.document({ changes });
  if (changes.length === 0) return out.line('There is nothing to undo.');
  printTable(
    out,
    ['WHEN', flexible('CHANGE'), flexible('FILES')],
    changes.map(({ at, says, files, unfinished }) => [
      faint(shortMoment(at)),
      `${says}${unfinished ? ' (cut off)' : ''}`,
      faint(files.map(shortHome).join(', ')),
    ]),
  );
  out.line(faint('The first is undone first: plug undo'));
}

async function clear({ yes }: UndoArgs, session: HubSession): Promise<void> {
  const { hub, out } = session;
  const question = 'Forget all changes, and the keys that are kept to undo them?';
  await mustConfirm(session, question, { yes, refused: 'Nothing was forgotten.' });
  const { forgotten } = await hub.changes.clear();
  out.document({ forgotten });
  out.line(DONE, `${counted(forgotten, 'change')} can no longer be undone.`);
}
