import { useState, type ReactNode } from 'react';
import { useHub, type AuditRecord, type Hub } from '../hub/hub-context.tsx';
import { Menu } from '../parts/menu.tsx';
import { useToast } from '../parts/toasts.tsx';
import { counted } from '../parts/words.ts';
import { download } from './download.ts';
import type { Filters } from './filters.ts';
import { toCsv } from './to-csv.ts';
import { queryOf } from './use-calls.ts';

/** All calls that fit the filters, as a file. */
export function ExportCalls({ filters }: { readonly filters: Filters }): ReactNode {
  const hub = useHub();
  const toast = useToast();
  const [busy, setBusy] = useState(false);
  const save = async (kind: 'json' | 'csv'): Promise<void> => {
    setBusy(true);
    try {
      const { calls, isCut } = await allCalls(hub, filters);
      const text = kind === 'csv' ? toCsv(calls) : JSON.stringify(calls, undefined, 2);
      download(`plugboard-calls.${kind}`, text, kind === 'csv' ? 'text/csv' : 'application/json');
      const more = isCut ? `Only the newest ${counted(CALLS_MAX, 'call')}.` : undefined;
      toast.good(`${counted(calls.length, 'call')} saved`, more);
    } catch (error) {
      toast.bad(error);
    }
    setBusy(false);
  };
  return (
    <Menu
      label={busy ? 'Saving…' : 'Save these calls'}
      items={[
        { label: 'Save as JSON', onChoose: () => void save('json'), disabled: busy },
        { label: 'Save as CSV', onChoose: () => void save('csv'), disabled: busy },
      ]}
    />
  );
}

/** As many as are kept, unless somebody keeps more. */
const CALLS_MAX = 100_000;
const AT_ONCE = 1_000;

interface Saved {
  /** Newest first. */
  readonly calls: readonly AuditRecord[];
  /** There are older ones, too many for one file in a browser. */
  readonly isCut: boolean;
}

async function allCalls(hub: Hub, filters: Filters): Promise<Saved> {
  const calls: AuditRecord[] = [];
  let cursor: string | undefined = '';
  while (cursor !== undefined && calls.length < CALLS_MAX) {
    const page: Awaited<ReturnType<Hub['audit']['query']>> = await hub.audit.query(
      queryOf(filters, cursor, AT_ONCE),
    );
    calls.push(...page.records);
    cursor = page.cursor;
  }
  return { calls, isCut: cursor !== undefined };
}
