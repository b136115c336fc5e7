import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { TrustServer } from './trust-server.tsx';
import { useServerActions, type ServerActions } from './use-server-actions.ts';

/** The one next step of a server in its state. */
export function CardAction({ server }: { readonly server: ServerView }): ReactNode {
  const actions = useServerActions();
  if (server.untrusted !== undefined) return <Trust server={server} />;
  return STEPS[server.state.kind](server, actions);
}

type Step = (server: ServerView, actions: ServerActions) => ReactNode;

/** Where the next step is made, for states that are mended in the drawer. */
export const TAB_FOR: Readonly<Partial<Record<ServerView['state']['kind'], string>>> = {
  failed: 'check',
  'needs-sign-in': 'accounts',
  'needs-input': 'config',
  quarantined: 'tools',
  ready: 'tools',
};

const STEPS: Readonly<Record<ServerView['state']['kind'], Step>> = {
  ready: ({ id, toolsOffered }) =>
    toolsOffered > 0 ? <Way to={places.server(id, 'tools')}>Try a tool</Way> : null,
  asleep: ({ id }, { start }) => <Doing label="Start" does={() => start(id)} />,
  starting: () => null,
  degraded: ({ id }, { reconnect }) => <Doing label="Reconnect" does={() => reconnect(id)} />,
  disabled: ({ id }, { setEnabled }) => <Doing label="Turn on" does={() => setEnabled(id, true)} />,
  failed: ({ id }) => <Way to={places.server(id, 'check')}>Why?</Way>,
  'needs-sign-in': ({ id }) => (
    <Way to={places.server(id, 'accounts')} primary>
      Sign in
    </Way>
  ),
  'needs-input': ({ id, state }) => (
    <Way to={places.server(id, 'config')} primary>
      {fillIn(state.kind === 'needs-input' ? state.missing : [])}
    </Way>
  ),
  quarantined: ({ id }) => (
    <Way to={places.server(id, 'tools')} primary>
      Review changes
    </Way>
  ),
};

function Trust({ server }: { readonly server: ServerView }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {server.untrusted?.changed === true ? 'Trust changes …' : 'Trust …'}
      </Button>
      {open && <TrustServer server={server} onClose={() => setOpen(false)} />}
    </>
  );
}

interface DoingProps {
  readonly label: string;
  readonly does: () => Promise<void>;
}

function Doing({ label, does }: DoingProps): ReactNode {
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    void does().finally(() => setBusy(false));
  };
  return (
    <Button busy={busy} onClick={run}>
      {label}
    </Button>
  );
}

interface WayProps {
  readonly to: string;
  readonly children: ReactNode;
  readonly primary?: boolean;
}

/** A step that is made elsewhere is a link: it can be opened in another tab. */
function Way({ to, children, primary = false }: WayProps): ReactNode {
  return (
    <Link href={to} className={`${buttons['button']} ${primary ? buttons['primary'] : ''}`}>
      {children}
    </Link>
  );
}

/** “Fill in API_KEY”; of several, how many. */
function fillIn(missing: readonly string[]): string {
  const [first = '', ...more] = missing;
  if (more.length > 0) return `Fill in ${missing.length} values`;
  const name = /[:{]([^:{}]+)\}?$/.exec(first)?.[1] ?? first;
  return name === '' || name.length > 18 ? 'Fill in a value' : `Fill in ${name}`;
}
