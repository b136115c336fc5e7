import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { Icon } from '../parts/icon.tsx';
import { RemedyStep } from '../parts/remedy-step.tsx';
import styles from './add.module.css';

/** A server that will not be added: why, and what to give instead. */
export function Declined({ server }: { readonly server: PlanOffer['declined'][number] }): ReactNode {
  return (
    <section className={styles['card']} aria-label={`${server.name} is not added`}>
      <p className={styles['warning']}>
        <Icon name="warn" />
        <span>
          <strong>{showHidden(server.name)}</strong>: {showHidden(server.why)}
        </span>
      </p>
      <p className={styles['meta']}>{server.remedy !== undefined && <RemedyStep remedy={server.remedy} />}</p>
    </section>
  );
}
