import { useState, type ReactNode } from 'react';
import type { NewHost } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from './settings.module.css';

const ALL = '';

/** Adds a host: its name, and how much it may have. */
export function HostForm({ onAdd }: { readonly onAdd: (host: NewHost) => Promise<unknown> }): ReactNode {
  const { data: profiles = [] } = useHubQuery(keys.profiles, (hub) => hub.profiles.list());
  const [name, setName] = useState('');
  const [profile, setProfile] = useState(ALL);
  const [readOnly, setReadOnly] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const add = async (): Promise<void> => {
    setError(undefined);
    try {
      await onAdd({
        name: name.trim(),
        ...(profile === ALL ? {} : { profile }),
        ...(readOnly ? { readOnly } : {}),
      });
      setName('');
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
      <h3>Add a host</h3>
      <div className={styles['two']}>
        <TextField label="Name" placeholder="cursor" value={name} onChange={setName} />
        <div className={styles['label']}>
          <span>What it sees</span>
          <Select
            label="What it sees"
            value={profile}
            choices={[
              { value: ALL, label: 'All servers' },
              ...profiles.map((each) => ({ value: each.name, label: `Profile ${each.name}` })),
            ]}
            onChange={setProfile}
          />
        </div>
      </div>
      <Switch label="Read-only tools" checked={readOnly} onChange={setReadOnly} shown />
      {error !== undefined && <ErrorNote error={error} />}
      <div>
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          Add host
        </Button>
      </div>
    </form>
  );
}
