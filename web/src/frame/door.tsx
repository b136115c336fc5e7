import { useEffect, useState, type ReactNode } from 'react';
import { forgetSession, openSession, type Session } from '../hub/session.ts';
import { App } from './app.tsx';
import { Outside } from './outside.tsx';

/** Lets in whoever came with a link or has been here before; tells all others how to come in. */
export function Door(): ReactNode {
  const [session, setSession] = useState<Session | 'none' | undefined>(undefined);
  useEffect(() => {
    openSession().then(setSession, () => setSession('none'));
  }, []);
  if (session === undefined) return null;
  if (session === 'none') return <Outside />;
  return <App session={session} onShutOut={leave} />;

  function leave(): void {
    forgetSession();
    setSession('none');
  }
}
