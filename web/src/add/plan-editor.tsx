import { useCallback, useEffect, useId, useState, type ReactNode } from 'react';
import type { InstallOutcome, OfferedPlan } from '../hub/hub-context.tsx';
import { Fold } from '../parts/fold.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Adders } from './add-all.tsx';
import { PlanAbout } from './plan-about.tsx';
import { PlanAdded } from './plan-added.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { PlanForm } from './plan-form.tsx';
import { PlanUnpack } from './plan-unpack.tsx';
import { usePlanWork } from './use-plan-work.ts';
import styles from './add.module.css';

interface PlanEditorProps {
  readonly offered: OfferedPlan;
  readonly adders: Adders;
  readonly onAgain: () => void;
  readonly onAnother: () => void;
  /** Told once, when it is there. */
  readonly onAdded?: (outcome: InstallOutcome) => void;
}

/** What would run or be reached, what it still needs, and the buttons that try it and add it. */
export function PlanEditor({ offered, adders, onAgain, onAnother, onAdded }: PlanEditorProps): ReactNode {
  const [later, setLater] = useState<{ readonly from: OfferedPlan; readonly plan: OfferedPlan }>();
  const plan = later?.from === offered ? later.plan : offered;
  const replace = useCallback((next: OfferedPlan) => setLater({ from: offered, plan: next }), [offered]);
  const work = usePlanWork(onAgain, replace);
  const id = useId();
  useEffect(() => {
    if (work.added) onAdded?.(work.added);
  }, [work.added, onAdded]);
  if (work.added) return <PlanAdded outcome={work.added} onAnother={onAnother} />;
  const { view } = plan;
  return (
    <section className={styles['card']} aria-labelledby={id}>
      <PlanAbout plan={plan} headingId={id} />
      {view.warnings.length > 0 && (
        <ul className={styles['list']}>
          {view.warnings.map(({ message }) => (
            <li key={message} className={styles['warning']}>
              <Icon name="warn" /> <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
      {plan.bundle ? (
        <PlanUnpack plan={plan} onUnpacked={replace} />
      ) : (
        <PlanForm plan={plan} work={work} adders={adders} />
      )}
      <Fold label="Technical details">
        <PlanFacts view={view} />
      </Fold>
    </section>
  );
}
