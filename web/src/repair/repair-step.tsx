import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { keys, useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { CopyButton } from '../parts/copy-button.tsx';
import { SafeLink } from '../parts/safe-link.tsx';
import { useToast } from '../parts/toasts.tsx';
import { useServerActions } from '../servers/use-server-actions.ts';
import type { Repair } from './repair.ts';
import { RetryStep } from './retry-step.tsx';
import styles from './repair.module.css';

const TrustServer = lazy(() => import('../servers/trust-server.tsx'));

/** Repairs that are one button. Those with fields are forms of their own. */
export type StepRepair = Exclude<Repair, { form: 'none' | 'values' | 'folder' | 'port' }>;

interface RepairStepProps {
  readonly server: ServerView;
  readonly repair: StepRepair;
}

/** The button that mends it, or that leads to where it is mended. */
export function RepairStep({ server, repair }: RepairStepProps): ReactNode {
  const { id } = server;
  switch (repair.form) {
    case 'retry':
    case 'reconnect':
    case 'turn-on':
    case 'install':
      return <Doing server={server} repair={repair} />;
    case 'trust':
      return <Trust server={server} changed={repair.changed} />;
    case 'sign-in':
      return <Way to={places.server(id, 'accounts')}>Sign in</Way>;
    case 'open-address':
      return <SafeLink href={repair.url}>Sign in</SafeLink>;
    case 'unlock':
      return <Way to={`${places.settings}/vault`}>Unlock the vault</Way>;
    case 'review':
      return <Way to={reviewPlace(id, repair.tool)}>Review</Way>;
    case 'edit':
      return <Way to={`${places.server(id, 'config')}?edit`}>Edit</Way>;
    case 'file':
      return <Way to={places.server(id, 'config')}>See the entry</Way>;
    case 'install-package':
      break;
  }
  return <InstallPackage server={server} scripts={repair.scripts} />;
}

/** The diff of one tool, open. */
export function reviewPlace(server: string, tool: string | undefined): string {
  const open = tool === undefined ? '' : `?open=${encodeURIComponent(tool)}`;
  return `${places.server(server, 'tools')}${open}`;
}

interface DoingProps {
  readonly server: ServerView;
  readonly repair: Extract<Repair, { form: 'retry' | 'reconnect' | 'turn-on' | 'install' }>;
}

function Doing({ server: { id, state }, repair }: DoingProps): ReactNode {
  const actions = useServerActions();
  const [busy, setBusy] = useState(false);
  const does = {
    retry: () => actions.restart(id),
    install: () => actions.restart(id),
    reconnect: () => actions.reconnect(id),
    'turn-on': () => actions.setEnabled(id, true),
  }[repair.form];
  const run = (): void => {
    setBusy(true);
    void does().finally(() => setBusy(false));
  };
  return (
    <RetryStep
      label={LABELS[repair.form]}
      at={repair.form === 'retry' ? repair.at : undefined}
      isAgain={repair.form !== 'turn-on'}
      busy={busy || state.kind === 'starting'}
      onRetry={run}
    />
  );
}

const LABELS = { retry: 'Retry', install: 'Retry', reconnect: 'Reconnect', 'turn-on': 'Turn on' } as const;

/** What to install and how, with the line to copy. */
export function InstallSteps({
  repair,
}: {
  readonly repair: Extract<Repair, { form: 'install' }>;
}): ReactNode {
  const { program, url, line } = repair;
  return (
    <>
      <p>
        Install {program}
        {line === undefined ? (
          <>
            {' '}
            from <SafeLink href={url}>{new URL(url).host}</SafeLink>
          </>
        ) : (
          ' on the machine where the hub runs'
        )}
        , then retry.
      </p>
      {line !== undefined && (
        <div className={styles['steps']}>
          <code className={styles['command']}>{line}</code>
          <CopyButton text={line} />
          <SafeLink href={url}>Other ways</SafeLink>
        </div>
      )}
    </>
  );
}

function Trust({ server, changed }: { readonly server: ServerView; readonly changed: boolean }): ReactNode {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {changed ? 'Trust changes…' : 'Trust…'}
      </Button>
      {open && (
        <Suspense>
          <TrustServer server={server} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface InstallPackageProps {
  readonly server: ServerView;
  readonly scripts: boolean;
}

function InstallPackage({ server: { id, name }, scripts }: InstallPackageProps): ReactNode {
  const toast = useToast();
  const install = useHubAction((hub) => hub.servers.install({ id, scripts }), [keys.servers]);
  return (
    <Button
      look="primary"
      busy={install.isPending}
      onClick={() =>
        install.mutate(undefined, {
          onSuccess: () => toast.good(`${showHidden(name)} is installed.`),
          onError: (error) => toast.bad(error),
        })
      }
    >
      {scripts ? 'Install with its scripts' : 'Install'}
    </Button>
  );
}

/** A step that is made elsewhere is a link: it can be opened in another tab. */
function Way({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  return (
    <Link href={to} className={`${buttons['button']} ${buttons['primary']}`}>
      {children}
    </Link>
  );
}
