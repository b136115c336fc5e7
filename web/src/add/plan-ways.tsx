import { useId, useState, type ComponentProps, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { OfferedPlan } from '../hub/hub-context.tsx';
import { PlanEditor } from './plan-editor.tsx';
import styles from './add.module.css';

/** A plan, and where the text gives several ways to the same server, the choice between them. */
export function PlanWays({ offered, ...rest }: ComponentProps<typeof PlanEditor>): ReactNode {
  const name = useId();
  const [chosen, setChosen] = useState(0);
  const ways = [offered, ...(offered.alternatives ?? [])];
  const way = ways[chosen] ?? offered;
  if (ways.length === 1) return <PlanEditor offered={offered} {...rest} />;
  return (
    <>
      <fieldset className={styles['card']}>
        <legend>
          {ways.length} ways to {showHidden(offered.view.title)}
        </legend>
        {ways.map((each, index) => (
          <label key={each.plan} className={styles['way']}>
            <input type="radio" name={name} checked={index === chosen} onChange={() => setChosen(index)} />
            <span>
              {wayOf(each)}
              {index === 0 && ' (simplest)'}
            </span>
          </label>
        ))}
      </fieldset>
      <PlanEditor key={chosen} offered={way} {...rest} />
    </>
  );
}

function wayOf({ view, needs }: OfferedPlan): string {
  const what = view.url === undefined ? `Runs here: ${view.command ?? view.summary}` : `Remote: ${view.url}`;
  const asked = view.form.filter(({ id }) => needs.includes(id)).map(({ label }) => label);
  return showHidden(asked.length === 0 ? what : `${what} (needs ${asked.join(', ')})`);
}
