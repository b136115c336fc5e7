import type { ServerView } from '../../hub/hub.ts';
import type { OfferedPlan } from '../../hub/plans.ts';
import type { Paste } from '../../servers/paste/paste.ts';
import { FAILED, WARNING, faint, strong, whole, type Output, type Style } from '../output.ts';
import { shortHome } from './path.ts';
import { stepText } from './error.ts';

/** What the person agrees to. Values of variables and headers stay unseen: they may be secret. */
export function renderOffer(
  offer: OfferedPlan,
  { test, home, id }: { readonly test: boolean; readonly home: string; readonly id: string },
  out: Output,
): void {
  if (out.json) return; // it is part of the document
  const { view, publisher, docs } = offer;
  const row = (label: string, text: string | undefined): void => {
    if (text) out.line(faint(`  ${label.padEnd(9)} `), label === 'runs' ? whole(text) : text);
  };
  const title = view.title === id ? '' : ` (${view.title})`;
  out.line(strong(`Plan for ${id}${title}`));
  for (const { message } of view.warnings) out.line({ style: 'warn', text: '  ⚠ ' }, message);
  row('from', view.from + (publisher === undefined ? '' : `, published by ${publisher}`));
  row('runs', view.command);
  row('contacts', view.url);
  row('package', packageOf(offer));
  // What is asked for has a name that people know; the variable behind it is for those who look.
  const set = (values: typeof view.env): string =>
    values
      .filter(({ value }) => !/^‹[^›]*›$/.test(value))
      .map(({ name }) => name)
      .join(', ');
  row('env', set(view.env));
  row('headers', set(view.headers));
  row('network', view.url === undefined ? 'anything the program contacts' : undefined);
  row('sign-in', view.auth.kind === 'none' ? undefined : view.auth.why);
  row(
    'needs',
    view.form
      .filter((field) => offer.needs.includes(field.id))
      .map(({ title, label }) => title ?? label)
      .join(', '),
  );
  for (const step of view.steps) row('first', step);
  row('docs', docs);
  row('saved in', `the database in ${shortHome(home)}`);
  const tried = test && offer.disabled !== true;
  const untried = offer.disabled
    ? 'saves it disabled, as in its entry, without a test'
    : 'saves it without a test';
  row('then', tried ? 'tests it, and saves it only if the test passes' : untried);
}

function packageOf({ view }: OfferedPlan): string | undefined {
  if (!view.package) return undefined;
  const { name, version, pinned, integrity } = view.package;
  const sum = integrity === undefined ? '' : `, ${integrity.slice(0, 24)}…`;
  if (pinned === 'exact') return `${name} ${version}, exactly this version${sum}`;
  if (pinned === 'content') return `${name} ${version}, exactly these bytes`;
  return `${name}, version ${version}`;
}

type Notes = Pick<Paste, 'problems' | 'repair'> & { readonly notMcp?: string | undefined };

export function renderPasteNotes({ problems, repair, notMcp }: Notes, out: Output): void {
  if (out.json) return; // they are part of the document
  if (repair) {
    out.note(WARNING, 'The text is damaged. It was repaired as follows:');
    for (const { line, what } of repair.changes) out.note(faint(`  line ${line}  `), what);
  }
  if (notMcp !== undefined) out.note(FAILED, notMcp);
  for (const { message, severity, line, next } of problems) {
    const where = line === undefined ? '' : `line ${line}: `;
    out.note({ style: STYLES[severity], text: MARKS[severity] }, where + message);
    if (next !== undefined) out.note(faint('  next   '), stepText(next));
  }
}

const MARKS: Readonly<Record<Paste['problems'][number]['severity'], string>> = {
  error: '✖ ',
  warning: '⚠ ',
  info: '• ',
};

const STYLES: Readonly<Record<Paste['problems'][number]['severity'], Style>> = {
  error: 'bad',
  warning: 'warn',
  info: 'faint',
};

export function renderTrust({ id, trust }: Pick<ServerView, 'id' | 'trust'>, out: Output): void {
  const text =
    trust === 'none'
      ? `  Not trusted: every call asks first. To run its read-only tools without asking: plug trust ${id}`
      : `  Trusted as a featured server: its read-only tools run without asking. To change that: plug untrust ${id}`;
  out.line(faint(text));
}
