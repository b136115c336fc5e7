import type { DoctorReport, DoctorRow, FixOutcome } from '../../hub/hub.ts';
import { faint, strong, whole, type Output, type Piece, type Style } from '../output.ts';
import { withShortHome } from './path.ts';
import { counted } from './text.ts';
import { stepText } from './error.ts';
import { proseLines } from './prose.ts';
import { padToWidth } from './text.ts';

type Status = DoctorRow['status'];

/** A symbol, a word and a color: none of them stands alone. */
const MARKS: Readonly<Record<Status, { readonly style: Style; readonly text: string }>> = {
  pass: { style: 'good', text: '✔ PASS  ' },
  warn: { style: 'warn', text: '⚠ WARN  ' },
  fail: { style: 'bad', text: '✖ FAIL  ' },
  skip: { style: 'faint', text: '– SKIP  ' },
};

export interface ReportOptions {
  readonly whole: boolean;
  readonly fixed: boolean;
}

export function renderReport(report: DoctorReport, out: Output, { whole, fixed }: ReportOptions): void {
  const machine = report.rows.filter(({ server }) => server === undefined);
  renderRows(machine, out);
  const names = [...new Set(report.rows.flatMap(({ server }) => server ?? []))];
  const width = Math.max(...names.map((name) => name.length), 0);
  const groups = names.map((name) => ({ name, rows: report.rows.filter(({ server }) => server === name) }));
  const healthy = groups.filter(
    ({ rows }) => !whole && rows.every(({ status }) => status === 'pass' || status === 'skip'),
  );
  if (machine.length > 0 && healthy.length > 0) out.line('');
  for (const { name, rows } of healthy) out.line(MARKS.pass, padToWidth(name, width), '  ', shortly(rows));
  let first = machine.length + healthy.length === 0;
  for (const { name, rows } of groups.filter((group) => !healthy.includes(group))) {
    if (!first) out.line('');
    first = false;
    out.line(strong(name));
    renderRows(rows, out);
  }
  if (report.rows.length > 0) out.line('');
  out.line(summaryOf(report, fixed));
}

export function renderFixes(fixes: readonly FixOutcome[], out: Output): void {
  for (const { done, says } of fixes) {
    const mark: Piece = done ? { style: 'good', text: '✔ FIXED  ' } : { style: 'bad', text: '✖ NOT FIXED  ' };
    out.line(mark, withShortHome(says));
  }
  if (fixes.length > 0) out.line('');
}

/** Rows one beneath the other; those that were not looked at for the same reason share one. */
function renderRows(rows: readonly DoctorRow[], out: Output): void {
  const width = Math.max(...rows.map(({ check }) => check.length), 0);
  for (const [index, row] of rows.entries()) {
    const before = rows[index - 1];
    if (row.status === 'skip' && before?.status === 'skip' && before.says === row.says) continue;
    const same = row.status === 'skip' ? sameAs(rows.slice(index)) : [row.check];
    const label = padToWidth(same.join(', '), width);
    const short = withShortHome(row.says);
    const says = row.status === 'skip' ? faint(short) : short;
    for (const line of proseLines([MARKS[row.status], label, '  '], says, out.width)) out.line(...line);
    for (const line of row.details ?? []) out.line(whole(`          │ ${withShortHome(line)}`, 'faint'));
    if (row.next !== undefined && row.status !== 'pass') step('next', row.next, out);
    if (row.fix !== undefined) step('fix', `plug doctor --fix will ${row.fix.says}`, out);
  }
}

function sameAs(rows: readonly DoctorRow[]): readonly string[] {
  const end = rows.findIndex(({ status, says }) => status !== 'skip' || says !== rows[0]?.says);
  return rows.slice(0, end === -1 ? rows.length : end).map(({ check }) => check);
}

function step(label: string, says: string, out: Output): void {
  out.line(faint(`          ${label.padEnd(4)}  `), stepText(withShortHome(says)));
}

function shortly(rows: readonly DoctorRow[]): string {
  const [first] = rows;
  if (rows.length === 1 && first) return withShortHome(first.says);
  const said = (check: string): string | undefined =>
    rows.find((row) => row.check === check && row.status === 'pass')?.says;
  const live = said('live');
  const tools = said('tools') ?? 'No problems found (not started yet).';
  return live === undefined ? tools : `${tools} ${live}`;
}

function summaryOf({ rows, counts }: DoctorReport, fixed: boolean): string {
  const { fail, warn } = counts;
  const fixes = new Set(rows.flatMap(({ fix }) => (fix ? [fix.id] : []))).size;
  const parts = [
    fail === 0 ? 'No problems' : counted(fail, 'problem'),
    ...(warn === 0 ? [] : [counted(warn, 'warning')]),
    ...(fixes === 0 ? [] : [`${fixes} automatic ${fixes === 1 ? 'fix' : 'fixes'}`]),
  ];
  return fixes > 0 && !fixed ? `${parts.join(', ')}: plug doctor --fix` : `${parts.join(', ')}.`;
}
