import { useEffect, useRef, useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { PlugError, toPlugError } from '../../../src/base/errors.ts';
import { useHub, type AccountView, type SignInProgress, type SignInRequest } from '../hub/hub-context.tsx';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { webAddress } from '../../../src/base/web-address.ts';
import { SafeLink } from './safe-link.tsx';
import { SignInByHand } from './sign-in-by-hand.tsx';
import { SignInElsewhere } from './sign-in-elsewhere.tsx';
import { Spinner } from './spinner.tsx';
import styles from './sign-in.module.css';

interface SignInProps {
  readonly server: string;
  readonly account?: string | undefined;
  /** What the button says; default “Sign in”. */
  readonly label?: string;
  /** The person has agreed already: it begins at once; if the browser opens no window, there is a link. */
  readonly begins?: boolean;
  readonly onDone: (account: AccountView) => void;
}

/** Signs in at a server: the other side's page in a window of its own, then “Connected as …”. */
export function SignIn({
  server,
  account,
  label = 'Sign in',
  begins = false,
  onDone,
}: SignInProps): ReactNode {
  const { state, begin, stop } = useSignIn(server, account, onDone);
  const begun = useRef(false);
  useEffect(() => {
    if (!begins || begun.current) return;
    begun.current = true;
    begin({});
  }, [begins, begin]);
  return (
    <div className={styles['sign-in']}>
      {state.kind !== 'asking' && (
        <Button look="primary" onClick={() => begin({})}>
          {state.kind === 'failed' ? 'Try again' : label}
        </Button>
      )}
      <div role="status">
        {state.kind === 'done' && (
          <p className={styles['done']}>
            ✓ Connected as {showHidden(state.as.displayName ?? state.as.account)}
          </p>
        )}
        {state.kind === 'asking' && (
          <p>
            <Spinner />{' '}
            {state.progress ? 'Waiting for you to agree in the other window…' : 'Asking where to sign in…'}
          </p>
        )}
      </div>
      {state.kind === 'asking' && (
        <>
          {state.progress && (
            <p>
              No window? <SafeLink href={state.progress.address}>Open the sign-in page</SafeLink>
            </p>
          )}
          {state.progress && <SignInElsewhere id={state.progress.id} />}
          <Button onClick={stop}>Stop</Button>
        </>
      )}
      {state.kind === 'failed' && <ErrorNote error={state.error} />}
      {state.kind === 'failed' && wantsClient(state.error) && (
        <SignInByHand error={toPlugError(state.error)} onGiven={begin} />
      )}
    </div>
  );
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'asking'; readonly progress?: SignInProgress }
  | { readonly kind: 'done'; readonly as: AccountView }
  | { readonly kind: 'failed'; readonly error: unknown };

interface SigningIn {
  readonly state: State;
  /** To be called by a click: browsers open a window for nothing else. */
  readonly begin: (client: Pick<SignInRequest, 'clientId' | 'clientSecret'>) => void;
  readonly stop: () => void;
}

function useSignIn(
  server: string,
  account: string | undefined,
  onDone: (account: AccountView) => void,
): SigningIn {
  const hub = useHub();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const stopper = useRef<AbortController>(undefined);
  useEffect(() => () => stopper.current?.abort(), []);
  const begin: SigningIn['begin'] = (client) => {
    const popup = openPopup();
    const stop = new AbortController();
    stopper.current?.abort();
    stopper.current = stop;
    setState({ kind: 'asking' });
    const onProgress = (progress: SignInProgress): void => {
      setState({ kind: 'asking', progress });
      // The address comes from a server: only the web is opened, and it gets no hold of this page.
      const address = webAddress(progress.address);
      if (popup && address !== undefined) popup.location.href = address;
    };
    const request = { server, ...(account === undefined ? {} : { account }), ...client };
    const ask = async (): Promise<void> => {
      try {
        const as = await hub.accounts.signIn(request, { signal: stop.signal, onProgress });
        if (stop.signal.aborted) return;
        setState({ kind: 'done', as });
        onDone(as);
      } catch (error) {
        if (stopper.current === stop)
          setState(stop.signal.aborted ? { kind: 'idle' } : { kind: 'failed', error });
      } finally {
        popup?.close();
      }
    };
    void ask();
  };
  return { state, begin, stop: () => stopper.current?.abort() };
}

/** Null when the browser allows no window: there is a link then. */
function openPopup(): Window | null {
  const popup = window.open('about:blank', '_blank', 'popup,width=520,height=720');
  if (popup) popup.opener = null;
  return popup;
}

/** The other side lets no program register by itself: the person has to. */
function wantsClient(error: unknown): error is PlugError {
  return (
    error instanceof PlugError && error.code === 'sign_in_needed' && 'redirectUri' in (error.details ?? {})
  );
}
