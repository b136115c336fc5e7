import type { ImportCheck, ImportOutcome, ImportVerdict } from '../../hub/plans.ts';
import { cliLimits } from '../limits.ts';
import { faint, strong, type Output, type Piece } from '../output.ts';
import type { HubSession } from '../session.ts';
import { printTable, flexible } from './table.ts';
import { counted } from './text.ts';

/** Waits a while for the servers to be looked at; the hub goes on with the rest by itself. */
export async function checkImported(
  { imported }: ImportOutcome,
  { hub, out, signal }: HubSession,
): Promise<readonly ImportCheck[]> {
  const ids = imported.map(({ id }) => id);
  if (ids.length === 0) return [];
  return await out.working('Reading their tools', (say) =>
    hub.imports.checklist(
      { ids, waitMs: cliLimits.importWaitMs },
      { signal, onProgress: ({ done, total }) => say('Reading their tools', { done, total }) },
    ),
  );
}

/** What works first, then what is the person's move. */
export function renderChecklist(checks: readonly ImportCheck[], out: Output): void {
  if (checks.length === 0) return;
  out.line('');
  const rows = ORDER.flatMap((verdict) =>
    checks.filter(({ is }) => is === verdict).map((check): readonly Piece[] => rowOf(check)),
  );
  printTable(out, ['', 'SERVER', 'STATE', flexible('DETAILS'), flexible('NEXT')], rows);
  out.line(strong(sumOf(checks)));
}

const ORDER: readonly ImportVerdict[] = [
  'fine',
  'needs-key',
  'needs-sign-in',
  'needs-program',
  'failed',
  'waits',
  'off',
];

const SHOWN: Readonly<Record<ImportVerdict, { readonly mark: Piece; readonly words: string }>> = {
  fine: { mark: { text: '✔', style: 'good' }, words: 'fine' },
  'needs-key': { mark: { text: '!', style: 'warn' }, words: 'needs a key' },
  'needs-sign-in': { mark: { text: '!', style: 'warn' }, words: 'needs sign-in' },
  'needs-program': { mark: { text: '!', style: 'warn' }, words: 'needs a program' },
  failed: { mark: { text: '✖', style: 'bad' }, words: 'failed' },
  waits: { mark: faint('…'), words: 'not started yet' },
  off: { mark: faint('–'), words: 'off' },
};

function rowOf({ id, is, says, next }: ImportCheck): readonly Piece[] {
  const { mark, words } = SHOWN[is];
  return [mark, id, words, faint(says), next ?? ''];
}

function sumOf(checks: readonly ImportCheck[]): string {
  const parts = ORDER.flatMap((verdict) => {
    const count = checks.filter(({ is }) => is === verdict).length;
    return count === 0 ? [] : [`${count} ${SHOWN[verdict].words}`];
  });
  return `${counted(checks.length, 'server')}: ${parts.join(', ')}.`;
}
