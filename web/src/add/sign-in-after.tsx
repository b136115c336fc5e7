import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { keys } from '../hub/queries.ts';
import { SignIn } from '../parts/sign-in.tsx';

interface SignInAfterProps {
  readonly server: ServerView;
  readonly onDone?: () => void;
}

/** A server that works and waits for its user to sign in. */
export function SignInAfter({ server, onDone }: SignInAfterProps): ReactNode {
  const cache = useQueryClient();
  return (
    <SignIn
      server={server.id}
      label={`Sign in to ${showHidden(server.name)}`}
      onDone={() => {
        onDone?.();
        void cache.invalidateQueries({ queryKey: keys.servers });
      }}
    />
  );
}
