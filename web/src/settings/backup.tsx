import { useState, type ReactNode } from 'react';
import { download } from '../activity/download.ts';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { Restore } from './restore.tsx';
import styles from './settings.module.css';

/** Everything in one file, to move to another machine or to come back from. */
export function BackupPart(): ReactNode {
  return (
    <>
      <MakeBackup />
      <Restore />
    </>
  );
}

function MakeBackup(): ReactNode {
  const toast = useToast();
  const [passphrase, setPassphrase] = useState('');
  const make = useHubAction((hub, given: string) =>
    hub.backups.make(given === '' ? {} : { passphrase: given }),
  );
  const save = (): void =>
    make.mutate(passphrase, {
      onSuccess: (backup) => {
        const day = new Date(backup.madeAt).toISOString().slice(0, 10);
        download(`plugboard-${day}.json`, JSON.stringify(backup, undefined, 2), 'application/json');
        toast.good(
          'Backup saved',
          passphrase === '' ? 'It holds no keys.' : 'Keep the passphrase apart from it.',
        );
        setPassphrase('');
      },
    });
  return (
    <form
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h3>Make a backup</h3>
      <p className={styles['meta']}>
        Servers, profiles, grants, models and rules. Keys and sign-ins only with a passphrase, sealed under
        it.
      </p>
      <TextField
        label="Passphrase (optional)"
        type="password"
        autoComplete="new-password"
        value={passphrase}
        onChange={setPassphrase}
      />
      {make.error && <ErrorNote error={make.error} />}
      <div>
        <Button type="submit" look="primary" busy={make.isPending}>
          {passphrase === '' ? 'Download without keys' : 'Download with keys'}
        </Button>
      </div>
    </form>
  );
}
