import { useState, type ReactNode } from 'react';
import type { Profile } from '../../../src/servers/profile.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import { ServerChoice } from './server-choice.tsx';
import styles from './settings.module.css';

interface ProfileFormProps {
  /** Absent: a new one. */
  readonly profile: Profile | undefined;
  readonly onSave: (profile: Profile) => Promise<unknown>;
  readonly onClose: () => void;
}

export function ProfileForm({ profile, onSave, onClose }: ProfileFormProps): ReactNode {
  const [name, setName] = useState(profile?.name ?? '');
  const [servers, setServers] = useState(profile?.servers);
  const [allow, setAllow] = useState((profile?.tools?.allow ?? []).join(', '));
  const [deny, setDeny] = useState((profile?.tools?.deny ?? []).join(', '));
  const [readOnly, setReadOnly] = useState(profile?.readOnly ?? false);
  const [error, setError] = useState<unknown>(undefined);
  const save = (): void => {
    const tools = { ...globs('allow', allow), ...globs('deny', deny) };
    onSave({
      name: name.trim(),
      ...(servers === undefined ? {} : { servers }),
      ...(Object.keys(tools).length === 0 ? {} : { tools }),
      ...(readOnly ? { readOnly } : {}),
    }).then(onClose, setError);
  };
  return (
    <form
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h3>{profile === undefined ? 'New profile' : `Edit ${profile.name}`}</h3>
      {profile === undefined && (
        <TextField label="Name" placeholder="work" value={name} onChange={setName} autoFocus />
      )}
      <ServerChoice value={servers} onChange={setServers} />
      <div className={styles['two']}>
        <TextField
          label="Only these tools"
          placeholder="github/search_*, notion/*"
          value={allow}
          onChange={setAllow}
          hint="Separate with commas; * stands for anything. Empty means all."
        />
        <TextField label="Without these tools" placeholder="*/delete_*" value={deny} onChange={setDeny} />
      </div>
      <Switch label="Read-only tools" checked={readOnly} onChange={setReadOnly} shown />
      {error !== undefined && <ErrorNote error={error} />}
      <div className={styles['buttons']}>
        <Button type="submit" look="primary" disabled={name.trim() === ''}>
          Save profile
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

function globs(key: 'allow' | 'deny', text: string): object {
  const list = text
    .split(',')
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  return list.length === 0 ? {} : { [key]: list };
}
