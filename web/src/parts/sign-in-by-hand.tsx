import { useState, type FormEvent, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlugError } from '../../../src/base/errors.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { TextField } from './text-field.tsx';
import styles from './sign-in.module.css';

interface SignInByHandProps {
  /** Its details say what to register where. */
  readonly error: PlugError;
  readonly onGiven: (client: { readonly clientId: string; readonly clientSecret?: string }) => void;
}

/** The other side wants a program that the person has registered there: its id, perhaps its secret. */
export function SignInByHand({ error, onGiven }: SignInByHandProps): ReactNode {
  const [id, setId] = useState('');
  const [secret, setSecret] = useState('');
  const redirect = textIn(error.details?.['redirectUri']);
  const give = (event: FormEvent): void => {
    event.preventDefault();
    onGiven({ clientId: id.trim(), ...(secret === '' ? {} : { clientSecret: secret }) });
  };
  return (
    <form className={styles['by-hand']} onSubmit={give}>
      <p>
        Register a program at {showHidden(textIn(error.details?.['issuer']))} with this redirect address, then
        give its id here:
      </p>
      <p className={styles['address']}>
        <code>{showHidden(redirect)}</code> <CopyButton text={redirect} />
      </p>
      <TextField label="Client id" value={id} onChange={setId} required />
      <TextField
        label="Client secret"
        type="password"
        value={secret}
        onChange={setSecret}
        hint="Only if you were given one. It goes into the vault."
      />
      <Button type="submit" look="primary" disabled={id.trim() === ''}>
        Sign in with it
      </Button>
    </form>
  );
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
