import { defined } from '../../base/defined.ts';
import type { UpdatePlan, UpdateView } from '../../hub/hub.ts';
import { DONE, faint, strong, WARNING, type Output, type Piece } from '../output.ts';
import { flexible, printTable } from '../render/table.ts';
import { counted, shortMoment } from '../render/text.ts';
import { mustConfirm, withServerName, type Flags, type HubSession, type Texts } from '../session.ts';

type UpdateArgs = Texts<'server' | 'to'> & Flags<'check' | 'yes'>;

export async function update(args: UpdateArgs, session: HubSession): Promise<void> {
  const { server, to: version } = args;
  if (server === undefined) return await listUpdates(session);
  const { hub, out, signal } = session;
  const check = { server, check: true };
  const [known] = await withServerName(hub, server, () =>
    out.working('Looking for versions', () => hub.updates.list(check, { signal })),
  );
  if (version === undefined && known?.state === 'newest') {
    out.document({ ...known, changed: false });
    return out.line(`${server} runs the newest version, ${known.package?.version ?? ''}.`);
  }
  const plan = await out.working('Comparing versions', (say) =>
    hub.updates.plan({ server, ...defined({ version }) }, { signal, onProgress: ({ text }) => say(text) }),
  );
  if (!out.json) renderPlan(plan, out);
  if (args.check) {
    out.document({ ...plan, changed: false });
    return;
  }
  const refused = `${server} stays at ${plan.from}.`;
  await mustConfirm(session, `Update ${server} to ${plan.to}?`, { yes: args.yes, refused });
  const done = await hub.updates.apply({ server, update: plan.update });
  out.document({ ...plan, ...done, changed: true });
  out.line(DONE, `${server} is at ${plan.to} now.`);
  out.line(faint('  undo  '), 'plug undo');
  for (const warning of done.warnings) if (!out.json) out.note(WARNING, warning);
}

function renderPlan(
  { server, from, to, compared, added, removed, changed, warnings }: UpdatePlan,
  out: Output,
) {
  out.line(strong(server), ` ${from} → ${to}`);
  for (const tool of added) out.line({ style: 'good', text: `  + ${tool}` });
  for (const tool of removed) out.line({ style: 'bad', text: `  - ${tool}` });
  for (const { tool, fields } of changed) {
    out.line({ style: 'warn', text: `  ~ ${tool}` });
    for (const { field, before, after } of fields.slice(0, FIELDS_SHOWN)) {
      if (before !== undefined) out.line({ style: 'bad', text: `      - ${field}: ${short(before)}` });
      if (after !== undefined) out.line({ style: 'good', text: `      + ${field}: ${short(after)}` });
    }
    if (fields.length > FIELDS_SHOWN)
      out.line(faint(`      and ${counted(fields.length - FIELDS_SHOWN, 'more change')}; all with --json`));
  }
  if (!compared) out.line(faint("  Its tools of now aren't known, so they were not compared."));
  else if (added.length + removed.length + changed.length === 0) out.line(faint('  The same tools.'));
  for (const warning of warnings) out.note(WARNING, warning);
}

const FIELDS_SHOWN = 8;
const TEXT_SHOWN = 160;

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > TEXT_SHOWN ? `${line.slice(0, TEXT_SHOWN)}…` : line;
}

async function listUpdates({ hub, out, signal }: HubSession): Promise<void> {
  const updates = await out.working('Looking for versions', () =>
    hub.updates.list({ check: true }, { signal }),
  );
  out.document({ updates });
  if (updates.length === 0) return out.line('No servers yet.');
  printTable(out, ['', 'SERVER', 'VERSION', 'SINCE', 'NEWEST', flexible('NEXT')], updates.map(rowOf));
}

function rowOf(view: UpdateView): readonly Piece[] {
  const { server, state, package: pack, reported, since, latest, next, why } = view;
  const isNewer = state === 'newer';
  const notes = {
    newer: `→ ${next ?? ''}`,
    newest: '',
    unpinned: `not pinned. ${why ?? ''}`.trim(),
    unknown: why ?? '',
  };
  return [
    { text: isNewer ? '↑' : '·', style: isNewer ? 'good' : 'faint' },
    strong(server),
    pack?.version ?? reported ?? '–',
    faint(since === undefined ? '' : shortMoment(since)),
    latest ?? '–',
    isNewer ? notes[state] : faint(notes[state]),
  ];
}
