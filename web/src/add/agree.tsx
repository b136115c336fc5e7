import type { ReactNode } from 'react';
import type { OfferedPlan } from '../hub/hub-context.tsx';
import styles from './add.module.css';

interface AgreeProps {
  readonly view: OfferedPlan['view'];
  readonly agreed: boolean;
  readonly onChange: (agreed: boolean) => void;
}

/** Where the answer is no unless somebody says otherwise, they have to say it. */
export function Agree({ view, agreed, onChange }: AgreeProps): ReactNode {
  if (!needsAgreement(view)) return null;
  return (
    <label className={styles['agree']}>
      <input type="checkbox" checked={agreed} onChange={(event) => onChange(event.target.checked)} />
      {view.untrusted
        ? 'I know who made this link, and I want this server.'
        : 'I have read the warnings, and I want this server.'}
    </label>
  );
}

export function needsAgreement({ defaultAnswer }: OfferedPlan['view']): boolean {
  return defaultAnswer === 'no';
}
