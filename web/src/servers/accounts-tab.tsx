import { useState, type ReactNode } from 'react';
import type { ServerCredentials, ServerView } from '../hub/hub-context.tsx';
import { keys, useHubQuery } from '../hub/queries.ts';
import { useQueryClient } from '@tanstack/react-query';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { SignIn } from '../parts/sign-in.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { TextField } from '../parts/text-field.tsx';
import { AccountRow } from './account-row.tsx';
import { KeyAccount } from './key-account.tsx';
import styles from './accounts-tab.module.css';

/** Who you are at a server: by sign-in or by key, and which account is used when none is named. */
export function AccountsTab({ server }: { readonly server: ServerView }): ReactNode {
  const cache = useQueryClient();
  const key = [...keys.server(server.id), 'accounts'];
  const { data, error } = useHubQuery(key, (hub) => hub.servers.credentials({ id: server.id }));
  const { accounts, keys: fields = [] } = data ?? {};
  if (server.transport === 'stdio' && data && fields.length === 0) {
    return (
      <EmptyState title="No sign-in needed">
        <p>This server runs on your machine, and uses no key from the vault.</p>
      </EmptyState>
    );
  }
  const changed = (): void => {
    void cache.invalidateQueries({ queryKey: key });
    void cache.invalidateQueries({ queryKey: keys.servers });
  };
  return (
    <div className={styles['tab']}>
      {error && <ErrorNote error={error} />}
      {!accounts && !error && (
        <p>
          <Spinner /> Looking at your accounts…
        </p>
      )}
      {accounts && accounts.length > 0 && (
        <ul className={styles['list']}>
          {accounts.map((account) => (
            <AccountRow key={account.account} account={account} fields={fields} onChanged={changed} />
          ))}
        </ul>
      )}
      {accounts?.length === 0 && fields.length > 0 && (
        <p className={styles['meta']}>
          One account so far: every call uses its key. Add another one to call as someone else.
        </p>
      )}
      {accounts?.length === 0 && fields.length === 0 && (
        <div className={styles['first']}>
          <p>
            {server.state.kind === 'needs-sign-in'
              ? 'It wants to know who you are. Its own page opens in a window; your password stays there.'
              : 'No account yet. If it needs none, there is nothing to do here.'}
          </p>
          <SignIn server={server.id} onDone={changed} />
        </div>
      )}
      {accounts && (accounts.length > 0 || fields.length > 0) && (
        <AnotherAccount server={server.id} fields={fields} onDone={changed} />
      )}
    </div>
  );
}

interface AnotherAccountProps {
  readonly server: string;
  /** Of its keys; a server without any has a sign-in. */
  readonly fields: ServerCredentials['keys'];
  readonly onDone: () => void;
}

function AnotherAccount({ server, fields, onDone }: AnotherAccountProps): ReactNode {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState('');
  const done = (): void => {
    setOpen(false);
    setName('');
    onDone();
  };
  if (!open) {
    return (
      <Button icon="plus" onClick={() => setOpen(true)}>
        Add another account
      </Button>
    );
  }
  return (
    <section className={styles['first']} aria-label="Another account">
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        placeholder="work"
        hint="Use letters, digits, dots, dashes and @."
      />
      {fields.length > 0 && NAME.test(name) && (
        <KeyAccount server={server} account={name} fields={fields} onDone={done} />
      )}
      {fields.length === 0 && NAME.test(name) && (
        <SignIn key={name} server={server} account={name} label={`Sign in as ${name}`} onDone={done} />
      )}
    </section>
  );
}

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}$/;
