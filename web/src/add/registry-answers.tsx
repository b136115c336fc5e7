import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { Icon } from '../parts/icon.tsx';
import { duration } from '../parts/words.ts';
import styles from './add.module.css';

/** Which registries could not be asked: the others' answers stand, and nothing is passed over in silence. */
export function RegistryAnswers({ answers }: { readonly answers: PlanOffer['registries'] }): ReactNode {
  const others = answers.filter(({ state, reason }) => state !== 'live' && reason !== undefined);
  if (others.length === 0) return null;
  return (
    <ul className={styles['list']} aria-label="Registries that didn’t respond">
      {others.map(({ name, state, reason = '', next, ageMs }) => (
        <li key={name} className={styles['warning']}>
          <Icon name="warn" />
          <span>
            <strong>{showHidden(name)}</strong>: {showHidden(reason)}{' '}
            {state === 'cached' &&
              `Last fetched ${ageMs === undefined ? 'earlier' : `${duration(ageMs)} ago`}. `}
            {next !== undefined && showHidden(next)}
          </span>
        </li>
      ))}
    </ul>
  );
}
