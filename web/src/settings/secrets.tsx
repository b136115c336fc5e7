import { useDeferredValue, useState, type ReactNode } from 'react';
import { useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { counted } from '../parts/words.ts';
import styles from './settings.module.css';

const KEY = ['secrets'];
const SHOWN_MAX = 100;

/** What is in the vault, by name. */
export function Secrets(): ReactNode {
  const toast = useToast();
  const { data, error } = useHubQuery(KEY, (hub) => hub.secrets.list());
  const remove = useHubAction((hub, name: string) => hub.secrets.remove({ name }), [KEY]);
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const [search, setSearch] = useState('');
  const word = useDeferredValue(search.toLowerCase());
  if (error) return <ErrorNote error={error} />;
  const found = (data ?? []).filter((name) => name.toLowerCase().includes(word));
  const forget = (): void =>
    remove.mutate(asked ?? '', {
      onSuccess: () => toast.good(`${asked} is forgotten`),
      onError: (failed) => toast.bad(failed),
      onSettled: () => setAsked(undefined),
    });
  return (
    <>
      <h3>{counted(data?.length ?? 0, 'secret')}</h3>
      {(data?.length ?? 0) > 10 && <TextField label="Search" value={search} onChange={setSearch} />}
      {found.length > 0 && (
        <ul className={styles['rows']} aria-label="Secrets">
          {found.slice(0, SHOWN_MAX).map((name) => (
            <li key={name} className={styles['row']}>
              <code className={styles['what']}>{name}</code>
              <Button look="quiet" aria-label={`Remove ${name}`} onClick={() => setAsked(name)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {found.length > SHOWN_MAX && (
        <p className={styles['meta']}>{counted(found.length - SHOWN_MAX, 'more')}: search to see them.</p>
      )}
      <Confirm
        title={`Forget ${asked ?? ''}?`}
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        does="Forget it"
        onConfirm={forget}
        busy={remove.isPending}
      >
        <p>A server that needs it will ask for it again. The value can't be recovered.</p>
      </Confirm>
    </>
  );
}
