import { useState, type FormEvent, type ReactNode } from 'react';
import { useHubAction } from '../hub/queries.ts';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { Fold } from './fold.tsx';
import { TextField } from './text-field.tsx';
import styles from './sign-in.module.css';

/** For a browser on another machine than the hub: the address that it ended at, pasted. */
export function SignInElsewhere({ id }: { readonly id: string }): ReactNode {
  const [address, setAddress] = useState('');
  const answer = useHubAction((hub, given: string) => hub.accounts.answer({ id, address: given }));
  const send = (event: FormEvent): void => {
    event.preventDefault();
    answer.mutate(address.trim());
  };
  return (
    <Fold label="The sign-in ended at a page that can’t be opened">
      <form className={styles['by-hand']} onSubmit={send}>
        <TextField
          label="Paste its whole address"
          value={address}
          onChange={setAddress}
          placeholder="http://127.0.0.1:…/callback?code=…"
        />
        <Button type="submit" disabled={address.trim() === ''} busy={answer.isPending}>
          Continue
        </Button>
        {answer.error && <ErrorNote error={answer.error} />}
      </form>
    </Fold>
  );
}
