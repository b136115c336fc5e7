import { useState, type ReactNode } from 'react';
import { leavesOf } from '../../../src/policy/approvals/leaves.ts';
import type { Approval } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { GiveAnswer } from './use-answer.ts';
import styles from './approval-card.module.css';

interface ApprovalPatternProps {
  readonly approval: Approval;
  readonly onAnswer: GiveAnswer;
  readonly onClose: () => void;
  readonly busy: boolean;
}

/** Which arguments a remembered yes is bound to: each one that is ticked must look like its pattern. */
export function ApprovalPattern({ approval, onAnswer, onClose, busy }: ApprovalPatternProps): ReactNode {
  const leaves = leavesOf(approval.args)
    .flatMap(({ path, value }) => (typeof value === 'object' ? [] : [{ path, text: String(value) }]))
    .filter(({ text }) => text.length <= VALUE_CHARS_MAX)
    .slice(0, FIELDS_MAX);
  const [pattern, setPattern] = useState<Readonly<Record<string, string>>>({});
  const change = (path: string, glob: string | undefined): void =>
    setPattern((before) => {
      const { [path]: _, ...rest } = before;
      return glob === undefined ? rest : { ...rest, [path]: glob };
    });
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        onAnswer({ effect: 'allow', remember: 'arguments', pattern });
      }}
    >
      <fieldset className={styles['pattern']}>
        <legend>Always allow this tool when these arguments look like this (* is anything):</legend>
        {leaves.map(({ path, text }) => {
          const glob = pattern[path];
          return (
            <div key={path} className={styles['leaf']}>
              <label>
                <input
                  type="checkbox"
                  checked={glob !== undefined}
                  onChange={(event) => change(path, event.target.checked ? text : undefined)}
                />{' '}
                {showHidden(path)}
              </label>
              <input
                aria-label={`Pattern of ${path}`}
                disabled={glob === undefined}
                value={glob ?? text}
                onChange={(event) => change(path, event.target.value)}
              />
            </div>
          );
        })}
      </fieldset>
      <div className={styles['answers']}>
        <Button type="submit" look="primary" busy={busy} disabled={Object.keys(pattern).length === 0}>
          Always allow these
        </Button>
        <Button onClick={onClose}>Back</Button>
      </div>
    </form>
  );
}

const FIELDS_MAX = 20;
const VALUE_CHARS_MAX = 200;
