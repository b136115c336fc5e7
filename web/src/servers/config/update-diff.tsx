import type { ReactNode } from 'react';
import { showHidden } from '../../../../src/catalog/hidden-text.ts';
import type { UpdatePlan } from '../../hub/hub-context.tsx';
import { Button } from '../../parts/button.tsx';
import { Fold } from '../../parts/fold.tsx';
import { counted } from '../../parts/words.ts';
import { FieldChanges } from '../field-changes.tsx';
import styles from './config-tab.module.css';

interface UpdateDiffProps {
  readonly plan: UpdatePlan;
  readonly busy: boolean;
  readonly onApply: () => void;
  readonly onClose: () => void;
}

/** What another version changes: tools that come, go and change. Nothing is updated yet. */
export function UpdateDiff({ plan, busy, onApply, onClose }: UpdateDiffProps): ReactNode {
  const { from, to, compared, added, removed, changed, warnings } = plan;
  const isSame = added.length + removed.length + changed.length === 0;
  return (
    <section className={styles['update']} aria-label={`Update to ${to}`}>
      <h3>
        {showHidden(from)} → {showHidden(to)}
      </h3>
      {!compared && <p>Its current tools aren’t known, so they were not compared.</p>}
      {compared && isSame && <p>The tools are the same.</p>}
      <ToolNames title={counted(added.length, 'new tool')} sign="+" names={added} />
      <ToolNames title={`${counted(removed.length, 'tool')} removed`} sign="−" names={removed} />
      {changed.length > 0 && (
        <>
          <p>{counted(changed.length, 'tool')} changed</p>
          {changed.map(({ tool, fields }) => (
            <Fold key={tool} label={showHidden(tool)} open>
              <FieldChanges changes={fields} />
            </Fold>
          ))}
        </>
      )}
      {warnings.map((warning) => (
        <p key={warning}>▲ {showHidden(warning)}</p>
      ))}
      <div className={styles['choices']}>
        <Button look="primary" busy={busy} onClick={onApply}>
          Update to {showHidden(to)}
        </Button>
        <Button onClick={onClose} disabled={busy}>
          Cancel
        </Button>
      </div>
    </section>
  );
}

interface ToolNamesProps {
  readonly title: string;
  readonly sign: string;
  readonly names: readonly string[];
}

function ToolNames({ title, sign, names }: ToolNamesProps): ReactNode {
  if (names.length === 0) return null;
  return (
    <>
      <p>{title}</p>
      <ul>
        {names.map((name) => (
          <li key={name}>
            {sign} <code>{showHidden(name)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
