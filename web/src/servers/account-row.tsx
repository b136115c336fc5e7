import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { AccountView, ServerCredentials } from '../hub/hub-context.tsx';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { SignIn } from '../parts/sign-in.tsx';
import { useToast } from '../parts/toasts.tsx';
import { KeyAccount } from './key-account.tsx';
import styles from './accounts-tab.module.css';

interface AccountRowProps {
  readonly account: AccountView;
  readonly fields: ServerCredentials['keys'];
  readonly onChanged: () => void;
}

/** One account: who it is, whether it is signed in, and what can be done about it. */
export function AccountRow({ account, fields, onChanged }: AccountRowProps): ReactNode {
  const toast = useToast();
  const [again, setAgain] = useState(false);
  const which = { server: account.server, account: account.account };
  const out = useHubAction((hub) => hub.accounts.signOut(which));
  const preferred = useHubAction((hub) => hub.accounts.setDefault(which));
  const shown = showHidden(account.displayName ?? account.account);
  const told = (says: string) => ({
    onSuccess: () => {
      toast.good(says);
      onChanged();
    },
    onError: (error: unknown) => toast.bad(error),
  });
  return (
    <li className={styles['account']}>
      <p className={styles['who']}>
        <strong>{shown}</strong>
        {account.displayName !== undefined && account.displayName !== account.account && (
          <span className={styles['meta']}>{showHidden(account.account)}</span>
        )}
        {account.isDefault && <Chip tone="info">used by default</Chip>}
        <Chip tone={account.signedIn ? 'good' : 'warn'}>
          {account.keys ? '✓ has a key' : account.signedIn ? '✓ signed in' : '◐ signed out'}
        </Chip>
      </p>
      <p className={styles['meta']}>
        {account.issuer !== undefined && <>at {showHidden(account.issuer)} </>}
        {account.scope !== undefined && account.scope !== '' && <>· may {showHidden(account.scope)} </>}
      </p>
      <div className={styles['buttons']}>
        <Button onClick={() => setAgain(true)} disabled={again}>
          {account.keys ? 'Replace key' : account.signedIn ? 'Sign in again' : 'Sign in'}
        </Button>
        {!account.isDefault && (
          <Button
            busy={preferred.isPending}
            onClick={() => preferred.mutate(undefined, told(`${shown} is used by default.`))}
          >
            Use by default
          </Button>
        )}
        {account.signedIn && (
          <Button
            look="danger"
            busy={out.isPending}
            onClick={() =>
              out.mutate(undefined, told(account.keys ? `${shown} is removed.` : `${shown} is signed out.`))
            }
          >
            {account.keys ? 'Remove' : 'Sign out'}
          </Button>
        )}
      </div>
      {again && account.keys && (
        <KeyAccount
          server={account.server}
          account={account.account}
          fields={fields}
          onDone={() => {
            setAgain(false);
            onChanged();
          }}
        />
      )}
      {again && !account.keys && (
        <SignIn server={account.server} account={account.account} onDone={onChanged} />
      )}
    </li>
  );
}
