import type { FirstCall, SetupOutcome, SetupPlan } from '../../hub/hub.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { DONE, FAILED, faint, strong, WARNING, type Output } from '../output.ts';
import { ownCommand } from '../own-command.ts';
import { renderDifference } from '../render/difference.ts';
import { shortHome, withShortHome } from '../render/path.ts';
import { renderServerList } from '../render/server-list.ts';
import { flexible, printTable } from '../render/table.ts';
import { counted } from '../render/text.ts';
import { mustConfirm, type Flags, type HubSession } from '../session.ts';

/** From nothing to a first call. Before the answer nothing is written or started. */
export async function setup(args: Flags<'yes' | 'dryRun'>, session: HubSession): Promise<ExitCode | void> {
  const { hub, out, clock, cwd, signal } = session;
  const plan = await out.working('Looking at the other clients', () => hub.setup.plan());
  const clients = plan.clients.filter(({ edit }) => edit?.changed);
  const steps = plan.found.length + clients.length;
  if (!out.json) renderPlan(plan, out);
  if (args.dryRun) {
    out.document({ ...plan, dryRun: true });
    return;
  }
  if (steps > 0) {
    const question = `Import ${counted(plan.found.length, 'server')}, write ${counted(clients.length, 'file')} and make one read-only call?`;
    await mustConfirm(session, question, { yes: args.yes, refused: 'Nothing was changed.' });
  }
  const pick = plan.found.map(({ ref, fingerprint }) => ({ ref, fingerprint }));
  const request = { pick, clients: clients.map(({ client }) => client) };
  const outcome = await out.working('Setting up', (say) =>
    hub.setup.run(request, { signal, onProgress: ({ text }) => say(text) }),
  );
  out.document({ plan, ...outcome });
  renderChanges(outcome, out);
  if (!out.json && outcome.servers.length > 0) {
    out.line('');
    renderServerList({ servers: outcome.servers, overall: 'ready', files: [] }, out, {
      now: clock.now(),
      cwd,
    });
  }
  out.line('');
  renderCall(outcome.call, out);
  const plug = ownCommand(session);
  if (outcome.change !== undefined) out.line(faint('To undo all of this: '), `${plug} undo`);
  const failed = outcome.failed.length + outcome.unconnected.length > 0 || outcome.call.kind === 'failed';
  return failed ? exitCodes.failed : exitCodes.ok;
}

function renderPlan({ found, skipped, problems, clients }: SetupPlan, out: Output): void {
  if (found.length > 0) {
    printTable(
      out,
      ['', 'SERVER', 'FROM', flexible('RUNS OR CONTACTS'), flexible('NOTE')],
      found.map(({ id, client, target, keys, enabled }) => [
        { text: '+', style: 'good' },
        id,
        faint(client),
        target,
        {
          text: [
            ...(keys.length > 0
              ? [`readable key in ${keys.map(({ where }) => where).join(', ')} → vault`]
              : []),
            ...(enabled ? [] : ['disabled there']),
          ].join('; '),
          style: 'warn',
        },
      ]),
    );
  }
  if (skipped.length > 0)
    out.line(
      faint(
        `${counted(skipped.length, 'server')} found that ${skipped.length === 1 ? 'is' : 'are'} here already or can't be imported.`,
      ),
    );
  for (const { message } of problems) out.note(FAILED, withShortHome(message));
  for (const { title, file, edit, error } of clients) {
    if (error) out.note(FAILED, `${title} can't be connected: ${withShortHome(error.message)}`);
    else if (edit?.change) renderDifference(shortHome(file), edit.change, out);
    else out.line(faint(`${title} is connected already (${shortHome(file)}).`));
    for (const warning of edit?.changed ? edit.warnings : []) out.note(WARNING, warning);
  }
  if (found.length + clients.length + skipped.length === 0)
    out.line('No other client was found on this machine.');
}

function renderChanges(
  { imported, skipped, failed, connected, unconnected }: SetupOutcome,
  out: Output,
): void {
  for (const { id, renamedFrom, keys } of imported) {
    const was = renamedFrom === undefined ? '' : `, called ${renamedFrom} there`;
    const vault = keys.length === 0 ? '' : `; ${counted(keys.length, 'key')} in the vault`;
    out.line(DONE, `${id} is imported${was}${vault}.`);
  }
  for (const { client, backup } of connected) {
    out.line(DONE, strong(client), ' is connected.');
    if (backup !== undefined) out.line(faint('  backup  '), shortHome(backup));
  }
  for (const { ref, why } of skipped) out.line(faint(`– ${ref}: ${why}`));
  if (!out.json) {
    for (const { ref, error } of failed) out.note(FAILED, `${ref} was not imported: ${error.message}`);
    for (const { client, error } of unconnected)
      out.note(FAILED, `${client} was not connected: ${withShortHome(error.message)}`);
  }
  if (imported.length + connected.length === 0) out.line('Nothing to change.');
  if (imported.length > 0)
    out.line(faint('The clients still have their own entries: remove them there when you are ready.'));
}

function renderCall(call: FirstCall, out: Output): void {
  if (call.kind === 'none') return out.line('No call was made. ', call.why);
  if (call.kind === 'failed') {
    if (!out.json) out.note(FAILED, `The first call, ${call.tool}, failed: ${call.error.message}`);
    return;
  }
  out.line(DONE, `First call: ${call.tool} answered in ${call.ms} ms.`);
  const lines = call.text.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines.slice(0, LINES_SHOWN)) out.line(faint(`  ${line}`));
  if (lines.length > LINES_SHOWN) out.line(faint('  …'));
}

const LINES_SHOWN = 5;
