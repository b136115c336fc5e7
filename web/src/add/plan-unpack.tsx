import { useState, type ReactNode } from 'react';
import type { OfferedPlan } from '../hub/hub-context.tsx';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Agree, needsAgreement } from './agree.tsx';
import styles from './add.module.css';

interface PlanUnpackProps {
  readonly plan: OfferedPlan;
  readonly onUnpacked: (plan: OfferedPlan) => void;
}

/** A bundle says only once it is unpacked what it runs. Unpacking runs nothing. */
export function PlanUnpack({ plan, onUnpacked }: PlanUnpackProps): ReactNode {
  const [agreed, setAgreed] = useState(false);
  const unpack = useHubAction((hub, id: string) => hub.plans.unpack({ plan: id }));
  return (
    <>
      <p>Its command is shown after the bundle is downloaded and verified. Nothing runs yet.</p>
      <Agree view={plan.view} agreed={agreed} onChange={setAgreed} />
      <div className={styles['row']}>
        <Button
          look="primary"
          busy={unpack.isPending}
          disabled={needsAgreement(plan.view) && !agreed}
          onClick={() => unpack.mutate(plan.plan, { onSuccess: onUnpacked })}
        >
          Download and check it
        </Button>
      </div>
      {unpack.error && <ErrorNote error={unpack.error} />}
    </>
  );
}
