import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { places } from '../frame/places.ts';
import type { ServerView } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import buttons from '../parts/button.module.css';
import { RepairStep } from '../repair/repair-step.tsx';
import type { Repair } from '../repair/repair.ts';
import { useRepair } from '../repair/use-repair.ts';
import { KeyLine } from '../repair/values-form.tsx';
import { useServerActions } from './use-server-actions.ts';

/** The one next step of a server in its state, in place where it fits on a card. */
export function CardAction({ server }: { readonly server: ServerView }): ReactNode {
  const repair = useRepair(server);
  const { id, state } = server;
  if (repair.form === 'none') {
    if (state.kind === 'asleep') return <Start id={id} />;
    const isTried = state.kind === 'ready' && server.toolsOffered > 0;
    return isTried ? <Way to={places.server(id, 'tools')}>Try a tool</Way> : null;
  }
  if (repair.form === 'values') {
    const [input, ...more] = repair.inputs;
    if (input?.kind === 'secret' && more.length === 0) return <KeyLine server={server} input={input} />;
  }
  if (isInDrawer(repair)) return <Way to={places.server(id, 'config')}>{IN_DRAWER[repair.form]}</Way>;
  return <RepairStep server={server} repair={repair} />;
}

/** What has more fields than a card has room for. */
const IN_DRAWER = {
  values: 'Fill in',
  folder: 'Choose folder',
  port: 'Choose port',
  install: 'How to install',
} as const;

function isInDrawer(repair: Repair): repair is Extract<Repair, { form: keyof typeof IN_DRAWER }> {
  return Object.hasOwn(IN_DRAWER, repair.form);
}

function Start({ id }: { readonly id: string }): ReactNode {
  const { start } = useServerActions();
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    void start(id).finally(() => setBusy(false));
  };
  return (
    <Button busy={busy} onClick={run}>
      Start
    </Button>
  );
}

/** A step that is made elsewhere is a link: it can be opened in another tab. */
function Way({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  return (
    <Link href={to} className={buttons['button'] ?? ''}>
      {children}
    </Link>
  );
}
