import { useState, type ReactNode } from 'react';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import { addFact, settle } from './talk.ts';
import styles from './setup.module.css';

interface KeyCardProps {
  readonly id: string;
  readonly server: string;
  /** Its name in the vault; without one the key is said in the conversation, which finds its place. */
  readonly secret: string | undefined;
  readonly settled: string | undefined;
}

/** A key that a server lacks, or that is replaced. It goes to the vault and to nobody else. */
export function KeyCard({ id, server, secret, settled }: KeyCardProps): ReactNode {
  const [value, setValue] = useState('');
  const keep = useHubAction(
    async (hub, given: { readonly name: string; readonly value: string }) => {
      await hub.secrets.set(given);
      return hub.servers.restart({ id: server });
    },
    [keys.servers],
  );
  if (secret === undefined) return null;
  const go = (): void =>
    keep.mutate(
      { name: secret, value },
      {
        onSuccess: ({ state }) => {
          setValue('');
          settle(id, `The key of ${server} is in the vault.`);
          addFact(`The key of ${server} is in the vault. ${state.reason}`, { kind: 'key', server });
        },
      },
    );
  return (
    <section className={styles['card']} aria-label={`Key of ${server}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          go();
        }}
      >
        <TextField
          label={`Key of ${server}`}
          type="password"
          autoComplete="new-password"
          value={value}
          onChange={setValue}
          hint="It goes into the vault and is never shown again."
        />
        {keep.error && <ErrorNote error={keep.error} />}
        <Button
          type="submit"
          look="primary"
          busy={keep.isPending}
          disabled={value === '' || settled !== undefined}
        >
          {settled ?? 'Save key'}
        </Button>
      </form>
    </section>
  );
}
