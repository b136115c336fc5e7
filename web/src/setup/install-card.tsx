import { useCallback, useState, type ReactNode } from 'react';
import type { Adders } from '../add/add-all.tsx';
import { PlanEditor } from '../add/plan-editor.tsx';
import type { InstallOutcome, OfferedPlan } from '../hub/hub-context.tsx';
import { addFact, settle } from './talk.ts';
import { focusComposer } from './focus-composer.ts';

interface InstallCardProps {
  readonly id: string;
  readonly plan: OfferedPlan;
  /** The plan is forgotten: ask for it anew. */
  readonly onAgain: () => void;
}

/** A server that can be added. Keys are typed here, and go to the vault and to nobody else. */
export function InstallCard({ id, plan, onAgain }: InstallCardProps): ReactNode {
  const added = useCallback(
    ({ summary, server, signIn }: InstallOutcome) => {
      settle(id, `${server.name} is added.`);
      addFact(
        `${server.name} is added as ${server.id}. ${summary}${signIn ? ' It’s waiting for a sign-in.' : ''}`,
        { kind: 'added', server: server.id },
      );
    },
    [id],
  );
  const [adders] = useState<Adders>(() => new Map());
  return (
    <PlanEditor offered={plan} adders={adders} onAgain={onAgain} onAnother={focusComposer} onAdded={added} />
  );
}
