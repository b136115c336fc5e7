import { useState, type ReactNode } from 'react';
import type { NewRegistry, SyncAnswers } from '../hub/hub-context.tsx';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { counted } from '../parts/words.ts';
import styles from './settings.module.css';

/** Where servers are looked for. */
export function Registries(): ReactNode {
  const toast = useToast();
  const { data, error } = useHubQuery(keys.registries, (hub) => hub.registries.list());
  const save = useHubAction((hub, given: NewRegistry) => hub.registries.save(given), [keys.registries]);
  const remove = useHubAction((hub, name: string) => hub.registries.remove({ name }), [keys.registries]);
  const sync = useHubAction((hub) => hub.registries.sync());
  if (error) return <ErrorNote error={error} />;
  return (
    <>
      <ul className={styles['rows']} aria-label="Registries">
        {data?.map(({ name, url, enabled, own }) => (
          <li key={name} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{name}</strong>
              <p>{url}</p>
            </div>
            {own && (
              <Button
                look="quiet"
                aria-label={`Remove ${name}`}
                onClick={() => remove.mutate(name, { onError: (failed) => toast.bad(failed) })}
              >
                Remove
              </Button>
            )}
            <Switch
              label={`Search ${name}`}
              checked={enabled}
              onChange={(next) =>
                save.mutate({ name, enabled: next }, { onError: (failed) => toast.bad(failed) })
              }
            />
          </li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        <Button icon="retry" busy={sync.isPending} onClick={() => sync.mutate(undefined)}>
          Sync now
        </Button>
        <span role="status" className={styles['meta']}>
          {sync.isPending ? 'Copying what changed…' : sync.data && syncWords(sync.data)}
        </span>
      </div>
      {sync.error && <ErrorNote error={sync.error} />}
      {sync.data?.failed.map(({ registry, error: failed }) => (
        <ErrorNote key={registry} error={failed} />
      ))}
      <AddRegistry onAdd={save.mutateAsync} />
    </>
  );
}

function syncWords({ synced }: SyncAnswers): string {
  return synced
    .map(({ registry, seen, removed }) => `${registry}: ${counted(seen, 'server')} read, ${removed} gone`)
    .join('; ');
}

function AddRegistry({ onAdd }: { readonly onAdd: (given: NewRegistry) => Promise<unknown> }): ReactNode {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const [error, setError] = useState<unknown>(undefined);
  const add = async (): Promise<void> => {
    setError(undefined);
    try {
      await onAdd({ name: name.trim(), url: url.trim() });
      setName('');
      setUrl('');
    } catch (failed) {
      setError(failed);
    }
  };
  return (
    <form
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <h3>Add a registry</h3>
      <div className={styles['two']}>
        <TextField label="Name" placeholder="acme" value={name} onChange={setName} />
        <TextField
          label="Address"
          placeholder="https://registry.acme.example"
          value={url}
          onChange={setUrl}
          hint="It must support the official registry’s API."
        />
      </div>
      {error !== undefined && <ErrorNote error={error} />}
      <div>
        <Button type="submit" disabled={name.trim() === '' || url.trim() === ''}>
          Add registry
        </Button>
      </div>
    </form>
  );
}
