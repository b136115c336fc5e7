import { useId, type ReactNode } from 'react';
import type { OfferedPlan } from '../hub/hub-context.tsx';
import { Fold } from '../parts/fold.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import { SecretField } from '../parts/secret-field.tsx';
import form from '../parts/form/form.module.css';
import styles from './add.module.css';

interface AuthNoteProps {
  readonly plan: OfferedPlan;
  /** A key for a server that declares none. */
  readonly keyText: string;
  readonly onKey: (key: string) => void;
  readonly disabled: boolean;
}

/** How one proves who one is to this server, and where to get what that takes. */
export function AuthNote({ plan, keyText, onKey, disabled }: AuthNoteProps): ReactNode {
  const { view, docs } = plan;
  const { auth } = view;
  const isRemote = view.url !== undefined;
  const mayTakeKey = isRemote && auth.fields.length === 0;
  const own = <OwnKey keyText={keyText} onKey={onKey} disabled={disabled} />;
  return (
    <div className={styles['stack']}>
      <p className={styles['meta']}>
        {WORDS[auth.kind](isRemote)}{' '}
        {(auth.kind === 'key' || auth.kind === 'key-file') && docs !== undefined && (
          <SafeLink href={docs}>Where to get it</SafeLink>
        )}
      </p>
      {mayTakeKey && auth.kind === 'unknown' && own}
      {mayTakeKey && auth.kind !== 'unknown' && <Fold label="Use a key instead">{own}</Fold>}
    </div>
  );
}

const WORDS: Readonly<Record<OfferedPlan['view']['auth']['kind'], (isRemote: boolean) => string>> = {
  key: () => 'Keys go into the vault, and from there to this server alone.',
  'key-file': () => 'It reads its credentials from a file. Type the path; the file stays where it is.',
  oauth: (isRemote) =>
    isRemote
      ? 'You will sign in after adding.'
      : 'It signs in with a program of your own: its id and secret go into the vault.',
  none: () => 'It needs no sign-in.',
  unknown: () => 'We couldn’t tell whether it needs a key. Enter one if you have one, or add it without.',
};

function OwnKey({ keyText, onKey, disabled }: Omit<AuthNoteProps, 'plan'>): ReactNode {
  const id = useId();
  return (
    <div className={form['fields']}>
      <div className={form['field']}>
        <label className={form['label']} htmlFor={id}>
          Key <span className={form['required']}>(optional)</span>
        </label>
        <p className={form['description']} id={`${id}-more`}>
          Sent as “Authorization: Bearer …”.
        </p>
        <SecretField
          id={id}
          label="the key"
          aria-describedby={`${id}-more`}
          value={keyText}
          onChange={onKey}
          disabled={disabled}
        />
      </div>
    </div>
  );
}
