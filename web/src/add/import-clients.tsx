import { useMemo, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { useHubAction, useHubQuery, keys } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { Switch } from '../parts/switch.tsx';
import { counted } from '../parts/words.ts';
import { ImportClient } from './import-client.tsx';
import { ImportDone } from './import-done.tsx';
import { ImportNotes } from './import-notes.tsx';
import styles from './add.module.css';

/** What other apps on this machine know: all of it or what is picked. Nothing is written before the click. */
export function ImportClients({ onPaste }: { readonly onPaste: () => void }): ReactNode {
  const cache = useQueryClient();
  const { data, error, isFetching, refetch } = useHubQuery(['imports'], (hub) => hub.imports.scan());
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [follow, setFollow] = useState(false);
  const possible = useMemo(() => data?.found.filter(({ skipped }) => skipped === undefined) ?? [], [data]);
  const clients = useMemo(() => [...Map.groupBy(data?.found ?? [], ({ client }) => client)], [data]);
  const picked = possible.filter(({ ref }) => !left.has(ref));
  const exposed = picked.flatMap((find) => find.keys.map(() => find.file));
  const run = useHubAction(
    (hub, request: Parameters<typeof hub.imports.run>[0]) => hub.imports.run(request),
    [keys.servers],
  );
  const pick = (refs: readonly string[], isPicked: boolean): void => {
    const next = new Set(left);
    for (const ref of refs) {
      if (isPicked) next.delete(ref);
      else next.add(ref);
    }
    setLeft(next);
  };
  if (run.data) {
    return (
      <ImportDone
        outcome={run.data}
        found={data?.found ?? []}
        onMore={() => {
          run.reset();
          void cache.invalidateQueries({ queryKey: ['imports'] });
        }}
      />
    );
  }
  if (error)
    return <ErrorNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />;
  if (!data) {
    return (
      <p role="status" className={styles['waiting']}>
        <Spinner /> Looking into other apps on this machine…
      </p>
    );
  }
  if (data.found.length === 0) {
    return (
      <div className={styles['stack']}>
        <EmptyState
          title="No other app has servers here"
          action={<Button onClick={onPaste}>Paste one instead</Button>}
        >
          Claude, Cursor, VS Code and a dozen more were looked for.
        </EmptyState>
        <ImportNotes preview={data} />
      </div>
    );
  }
  return (
    <div className={styles['stack']}>
      <p>
        Nothing is changed, here or in these apps, before you confirm.
        {exposed.length > 0 && !follow && (
          <>
            {' '}
            <strong>
              {counted(exposed.length, 'key stands', 'keys stand')} readable in {filesOf(exposed)}; here{' '}
              {exposed.length === 1 ? 'it goes' : 'they go'} into the vault.
            </strong>
          </>
        )}
      </p>
      {clients.map(([client, found]) => (
        <ImportClient key={client} client={client} found={found} left={left} onPick={pick} />
      ))}
      <ImportNotes preview={data} />
      <div className={styles['row']}>
        <Button
          look="primary"
          busy={run.isPending}
          disabled={picked.length === 0 || isFetching}
          onClick={() =>
            run.mutate({
              pick: picked.map(({ ref, fingerprint }) => ({ ref, fingerprint })),
              ...(follow ? { follow } : {}),
            })
          }
        >
          Import {counted(picked.length, 'server')}
        </Button>
        <Switch
          label="Follow: keep reading them from the other app's file"
          shown
          checked={follow}
          onChange={setFollow}
        />
      </div>
      {run.error && <ErrorNote error={run.error} />}
    </div>
  );
}

function filesOf(files: readonly string[]): string {
  const [first = '', ...others] = [...new Set(files)].map((file) => showHidden(file));
  return others.length === 0 ? first : `${first} and ${counted(others.length, 'other file')}`;
}
