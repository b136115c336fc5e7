import { useMemo, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { DiffView } from '../parts/diff-view.tsx';
import { Fold } from '../parts/fold.tsx';
import { restoreKeys } from './restore-keys.ts';
import styles from './add.module.css';

interface RepairNoteProps {
  readonly repair: NonNullable<PlanOffer['repair']>;
  readonly text: string;
  readonly onUse: (text: string) => void;
}

/** The text was damaged: what was wrong in which line, and the corrected text to agree to. */
export function RepairNote({ repair, text, onUse }: RepairNoteProps): ReactNode {
  const corrected = useMemo(() => restoreKeys(text, repair.text), [text, repair.text]);
  return (
    <section className={styles['repair']} aria-label="Correction">
      <h3>The text has errors. Suggested correction</h3>
      <ul className={styles['list']}>
        {repair.changes.slice(0, SHOWN).map(({ line, what }) => (
          <li key={`${line}:${what}`}>
            Line {line}: {showHidden(what)}
          </li>
        ))}
        {repair.changes.length > SHOWN && <li>{repair.changes.length - SHOWN} more changes.</li>}
      </ul>
      <Fold label="Show changes" open={text.length < OPEN_CHARS}>
        <DiffView
          label="the text"
          before={linesOf(repair, 'before') ?? text}
          after={linesOf(repair, 'after') ?? corrected}
        />
      </Fold>
      <div>
        <Button look="primary" onClick={() => onUse(corrected)}>
          Use the corrected text
        </Button>
      </div>
    </section>
  );
}

/** Only the lines that change; undefined where there are too many to compare. */
function linesOf({ lines }: RepairNoteProps['repair'], side: 'before' | 'after'): string | undefined {
  return lines.length === 0 ? undefined : lines.flatMap((line) => line[side] ?? []).join('\n');
}

const SHOWN = 10;
const OPEN_CHARS = 4_000;
