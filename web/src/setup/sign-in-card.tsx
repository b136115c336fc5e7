import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { keys } from '../hub/queries.ts';
import { SignIn } from '../parts/sign-in.tsx';
import { addFact, settle } from './talk.ts';
import styles from './setup.module.css';

interface SignInCardProps {
  readonly id: string;
  readonly server: string;
  /** The person has said yes: the page opens at once. */
  readonly agreed: boolean;
}

export function SignInCard({ id, server, agreed }: SignInCardProps): ReactNode {
  const cache = useQueryClient();
  return (
    <section className={styles['card']} aria-label={`Sign in to ${server}`}>
      <h3>Sign in to {server}</h3>
      <SignIn
        server={server}
        label={`Sign in to ${server}`}
        begins={agreed}
        onDone={({ displayName, account }) => {
          settle(id, `You are signed in to ${server}.`);
          addFact(`You are signed in to ${server} as ${displayName ?? account}.`, {
            kind: 'signed-in',
            server,
          });
          void cache.invalidateQueries({ queryKey: keys.servers });
        }}
      />
    </section>
  );
}
