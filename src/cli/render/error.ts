import type { ErrorView, Owner } from '../../base/errors.ts';
import { FAILED, faint, whole, type Output, type Piece } from '../output.ts';
import { proseLines } from './prose.ts';

export function renderError(error: ErrorView, out: Output): void {
  for (const line of proseLines([FAILED], error.message.trim(), out.width)) out.note(...line);
  const rows: (readonly [string, string])[] = [];
  // What you can mend yourself, the next step says already.
  if (error.owner !== 'you' || error.next === undefined) rows.push(['owner', OWNERS[error.owner]]);
  if (typeof error.details?.['cause'] === 'string') rows.push(['cause', error.details['cause'].trim()]);
  if (error.next !== undefined) rows.push(['next', error.next]);
  for (const [label, text] of rows) {
    const shown = label === 'next' ? stepText(text) : text;
    out.note(faint(`  ${label.padEnd(6)} `), shown);
  }
  for (const [field, title] of LISTS) renderLines(title, error.details?.[field], out);
}

/** A sentence may be broken at words, a command not. */
export function stepText(step: string): Piece {
  return step.endsWith('.') ? step : whole(step);
}

/** Texts of others that explain a failure, by the field of its details and as they are headed. */
const LISTS: readonly (readonly [field: string, title: string])[] = [
  ['asked', 'grants'],
  ['log', 'log'],
  ['stderr', 'stderr'],
];

const OWNERS: Readonly<Record<Owner, string>> = {
  you: 'you',
  server: 'the server',
  network: 'the network',
  registry: 'the registry',
  plugboard: 'Plugboard',
};

export function renderStderr(lines: unknown, out: Output): void {
  renderLines('stderr', lines, out);
}

function renderLines(title: string, lines: unknown, out: Output): void {
  if (!Array.isArray(lines) || lines.length === 0) return;
  out.note(faint(`  ${title}`));
  for (const line of lines) if (typeof line === 'string') out.note(faint('  │ '), whole(line));
}
