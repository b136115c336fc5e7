import { useId, useState, type ReactNode } from 'react';
import type { JsonObject, RestoreOutcome, RestoreRequest } from '../hub/hub-context.tsx';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Switch } from '../parts/switch.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { readBackup } from './read-backup.ts';
import { RestorePreview } from './restore-preview.tsx';
import styles from './settings.module.css';

/** Comes back from a file: first it is shown what would happen, then it happens. */
export function Restore(): ReactNode {
  const id = useId();
  const toast = useToast();
  const [backup, setBackup] = useState<JsonObject | undefined>(undefined);
  const [passphrase, setPassphrase] = useState('');
  const [replace, setReplace] = useState(false);
  const [problem, setProblem] = useState<unknown>(undefined);
  const [checked, setChecked] = useState<RestoreOutcome | undefined>(undefined);
  const check = useHubAction((hub, request: RestoreRequest) => hub.backups.check(request));
  const restore = useHubAction((hub, request: RestoreRequest) => hub.backups.restore(request), [[]]);
  const request = (): RestoreRequest => ({
    backup: backup ?? {},
    replace,
    ...(passphrase === '' ? {} : { passphrase }),
  });
  const forget = (): void => setChecked(undefined);
  const look = (): void => check.mutate(request(), { onSuccess: setChecked, onError: setProblem });
  const carryOut = (): void =>
    restore.mutate(request(), {
      onSuccess: (outcome) => {
        setChecked(outcome);
        toast.good(`${outcome.restored.length} restored`, outcome.todo.join(' '));
      },
      onError: setProblem,
    });
  return (
    <section className={styles['card']}>
      <h3>Restore</h3>
      <label htmlFor={id} className={styles['label']}>
        Backup file
        <input
          id={id}
          type="file"
          accept="application/json,.json"
          onChange={(event) => {
            forget();
            setProblem(undefined);
            readBackup(event.target.files?.[0]).then(setBackup, setProblem);
          }}
        />
      </label>
      {backup !== undefined && (
        <>
          {backup['secrets'] !== undefined && (
            <TextField
              label="Passphrase of the backup"
              type="password"
              value={passphrase}
              onChange={(next) => {
                setPassphrase(next);
                forget();
              }}
              hint="Without it, everything except the keys is restored."
            />
          )}
          <Switch
            label="Replace existing items of the same name"
            checked={replace}
            onChange={(next) => {
              setReplace(next);
              forget();
            }}
            shown
          />
          <div className={styles['buttons']}>
            <Button onClick={look} busy={check.isPending}>
              Show changes
            </Button>
            {checked && restore.data === undefined && (
              <Button look="primary" onClick={carryOut} busy={restore.isPending}>
                Restore
              </Button>
            )}
          </div>
        </>
      )}
      {problem !== undefined && <ErrorNote error={problem} />}
      {checked && <RestorePreview outcome={checked} done={restore.data !== undefined} />}
    </section>
  );
}
