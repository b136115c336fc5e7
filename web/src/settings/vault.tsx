import { useState, type ReactNode } from 'react';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import type { HubStatus } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useToast } from '../parts/toasts.tsx';
import { Secrets } from './secrets.tsx';
import styles from './settings.module.css';

/** Where keys and sign-ins are kept, and which there are. Values are never shown. */
export function VaultPart(): ReactNode {
  const { data, error } = useHubQuery(keys.status, (hub) => hub.status());
  if (error) return <ErrorNote error={error} />;
  const vault = data?.vault;
  return (
    <>
      <p className={styles['lead']}>Keys and sign-ins are encrypted. Values are never shown again.</p>
      {data && <p>{whereWords(vault)}</p>}
      {vault?.warning !== undefined && <p className={styles['warn']}>▲ {vault.warning}</p>}
      {vault?.locked === true && <Unlock />}
      <Secrets />
    </>
  );
}

function whereWords(vault: HubStatus['vault']): string {
  if (vault?.source === undefined) return 'No secrets yet.';
  return WHERE[vault.source];
}

const WHERE = {
  keyring: 'The key of the vault is in the keyring of this system.',
  passphrase: 'The vault opens with your passphrase.',
  environment: 'The key of the vault is in a variable of the hub’s environment.',
  file: 'The key of the vault is in a file beside it.',
} as const;

function Unlock(): ReactNode {
  const toast = useToast();
  const [passphrase, setPassphrase] = useState('');
  const unlock = useHubAction(
    (hub, given: string) => hub.secrets.unlock({ passphrase: given }),
    [keys.status, keys.servers],
  );
  return (
    <form
      className={styles['card']}
      onSubmit={(event) => {
        event.preventDefault();
        unlock.mutate(passphrase, { onSuccess: () => toast.good('The vault is open') });
      }}
    >
      <h3>The vault is locked</h3>
      <TextField
        label="Passphrase"
        type="password"
        autoComplete="current-password"
        value={passphrase}
        onChange={setPassphrase}
        hint="It stays open until the hub stops."
      />
      {unlock.error && <ErrorNote error={unlock.error} />}
      <div>
        <Button type="submit" look="primary" disabled={passphrase === ''} busy={unlock.isPending}>
          Unlock
        </Button>
      </div>
    </form>
  );
}
