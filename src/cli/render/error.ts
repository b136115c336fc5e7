import type { ErrorView, Owner } from '../../base/errors.ts';
import type { Output } from '../output.ts';
import { proseLines } from './prose.ts';

/** A failure as people read it: what happened, whose move it is, why, and the next command. */
export function renderError(error: ErrorView, out: Output): void {
  for (const line of proseLines([{ style: 'bad', text: '✖ ' }], error.message, out.width)) out.note(...line);
  const rows: (readonly [string, string])[] = [['owner', OWNERS[error.owner]]];
  if (typeof error.details?.['cause'] === 'string') rows.push(['cause', error.details['cause']]);
  if (error.next !== undefined) rows.push(['next', error.next]);
  for (const [label, text] of rows) out.note({ style: 'faint', text: `  ${label.padEnd(6)} ` }, text);
  renderStderr(error.details?.['stderr'], out);
}

const OWNERS: Readonly<Record<Owner, string>> = {
  you: 'you',
  server: 'the server',
  network: 'the network',
  registry: 'the registry',
  plugboard: 'Plugboard',
};

/** The last words of a server that failed say more than any sentence of ours. */
export function renderStderr(lines: unknown, out: Output): void {
  if (!Array.isArray(lines) || lines.length === 0) return;
  out.note({ style: 'faint', text: '  stderr' });
  for (const line of lines) if (typeof line === 'string') out.note({ style: 'faint', text: '  │ ' }, line);
}
