import type { Paste } from '../../servers/paste/paste.ts';
import { FAILED, WARNING, faint, type Output, type Style } from '../output.ts';

type Notes = Pick<Paste, 'problems' | 'repair' | 'notMcp'>;

/** What was damaged, what was not understood, and what to do about it: beside the answer. */
export function renderPasteNotes({ problems, repair, notMcp }: Notes, out: Output): void {
  if (out.json) return; // they are part of the document
  if (repair) {
    out.note(WARNING, 'The text is damaged. It was read like this:');
    for (const { line, what } of repair.changes) out.note(faint(`  line ${line}  `), what);
  }
  if (notMcp !== undefined) out.note(FAILED, notMcp);
  for (const { message, severity, line, next } of problems) {
    const where = line === undefined ? '' : `line ${line}: `;
    out.note({ style: STYLES[severity], text: severity === 'error' ? '✖ ' : '⚠ ' }, where + message);
    if (next !== undefined) out.note(faint('  next   '), next);
  }
}

const STYLES: Readonly<Record<Paste['problems'][number]['severity'], Style>> = {
  error: 'bad',
  warning: 'warn',
  info: 'faint',
};
