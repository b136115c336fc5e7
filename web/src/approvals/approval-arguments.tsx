import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { leavesOf, type Leaf } from '../../../src/policy/approvals/leaves.ts';
import type { Approval, Json } from '../hub/hub-context.tsx';
import { Chip } from '../parts/chip.tsx';
import { CutText } from '../parts/cut-text.tsx';
import { Fold } from '../parts/fold.tsx';
import { counted } from '../parts/words.ts';
import styles from './approval-card.module.css';

/** The arguments of a call, value by value: long ones folded, what is new since the last yes marked. */
export function ApprovalArguments({ approval }: { readonly approval: Approval }): ReactNode {
  const leaves = leavesOf(approval.args);
  if (leaves.length === 0) return <p className={styles['meta']}>Without arguments.</p>;
  const changes = new Map((approval.changes ?? []).map((change) => [change.path, change]));
  const gone = (approval.changes ?? []).filter(({ after }) => after === undefined);
  const [shown, rest] = [leaves.slice(0, LEAVES_SHOWN), leaves.slice(LEAVES_SHOWN)];
  const row = (leaf: Leaf): ReactNode => (
    <Argument
      key={leaf.path}
      leaf={leaf}
      before={changes.get(leaf.path)?.before}
      changed={changes.has(leaf.path)}
    />
  );
  return (
    <div>
      <dl className={styles['args']}>{shown.map(row)}</dl>
      {rest.length > 0 && (
        <Fold label={counted(rest.length, 'more value')}>
          <dl className={styles['args']}>{rest.slice(0, LEAVES_MAX).map(row)}</dl>
          {rest.length > LEAVES_MAX && <CutText text={JSON.stringify(approval.args, undefined, 2)} />}
        </Fold>
      )}
      {gone.length > 0 && (
        <p className={styles['meta']}>
          Missing this time: {gone.map(({ path }) => showHidden(path)).join(', ')}
        </p>
      )}
      {approval.changes?.length === 0 && (
        <p className={styles['meta']}>The same as in the last call that you allowed.</p>
      )}
    </div>
  );
}

interface ArgumentProps {
  readonly leaf: Leaf;
  readonly changed: boolean;
  readonly before: Json | undefined;
}

function Argument({ leaf: { path, value }, changed, before }: ArgumentProps): ReactNode {
  const text = showHidden(textOf(value));
  const isLong = text.length > LONG_CHARS || text.split('\n', LONG_LINES + 1).length > LONG_LINES;
  return (
    <div className={styles['arg']}>
      <dt>
        {showHidden(path)}
        {changed && (
          <Chip
            tone="info"
            title={
              before === undefined ? 'Not in the last call' : `Last time: ${textOf(before).slice(0, 200)}`
            }
          >
            {before === undefined ? 'new' : 'changed'}
          </Chip>
        )}
      </dt>
      <dd>
        {isLong ? (
          <Fold label={`${text.slice(0, BEGINNING_CHARS)} … (${counted(text.length, 'character')})`}>
            <CutText text={text} />
          </Fold>
        ) : (
          <span className={styles['value']}>{text === '' ? '(empty)' : text}</span>
        )}
        {changed && before !== undefined && (
          <span className={styles['before']}>was {showHidden(textOf(before).slice(0, LONG_CHARS))}</span>
        )}
      </dd>
    </div>
  );
}

const LEAVES_SHOWN = 8;
const LEAVES_MAX = 200;
const LONG_CHARS = 240;
const LONG_LINES = 4;
const BEGINNING_CHARS = 80;

/** A text as it is; anything else as JSON, so that 1 and "1" differ. */
function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
