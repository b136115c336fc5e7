import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { pairLines, type LinePair } from './pair-lines.ts';
import styles from './diff-view.module.css';

interface DiffViewProps {
  /** What is compared, such as `description`. */
  readonly label: string;
  /** Absent: it is new. */
  readonly before?: string | undefined;
  /** Absent: it is gone. */
  readonly after?: string | undefined;
}

/** Old and new side by side, below each other on a phone. What cannot be seen is shown by its number. */
export function DiffView({ label, before, after }: DiffViewProps): ReactNode {
  const { pairs, left } = pairLines(before ?? '', after ?? '');
  return (
    <table className={styles['table']} aria-label={`Changes of ${label}`}>
      <thead>
        <tr>
          <th scope="col">{before === undefined ? 'Before: none' : 'Before'}</th>
          <th scope="col">{after === undefined ? 'Now: gone' : 'Now'}</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map((pair, index) => (
          // Lines have no name but their place.
          // oxlint-disable-next-line react/no-array-index-key
          <Row key={index} pair={pair} />
        ))}
      </tbody>
      {left > 0 && (
        <tfoot>
          <tr>
            <td colSpan={2}>{left} more lines are not shown.</td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

function Row({ pair: { before, after, same } }: { readonly pair: LinePair }): ReactNode {
  return (
    <tr>
      <td className={same || before === undefined ? undefined : styles['removed']}>
        {before !== undefined && (
          <>
            {!same && <Sign says="removed" sign="−" />}
            {showHidden(before)}
          </>
        )}
      </td>
      <td className={same || after === undefined ? undefined : styles['added']}>
        {after !== undefined && (
          <>
            {!same && <Sign says="added" sign="+" />}
            {showHidden(after)}
          </>
        )}
      </td>
    </tr>
  );
}

function Sign({ says, sign }: { readonly says: string; readonly sign: string }): ReactNode {
  return (
    <>
      <span className="only-heard">{says}: </span>
      <span aria-hidden="true">{sign} </span>
    </>
  );
}

/** A unified diff, as the hub writes it for a file that a call would change. */
export function UnifiedDiff({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const lines = text.split('\n');
  const shown = lines.slice(0, LINES_SHOWN_MAX);
  return (
    <pre className={styles['unified']} aria-label={label} tabIndex={0}>
      {shown.map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={styles[kindOf(line)]}>
          {showHidden(line)}
          {'\n'}
        </span>
      ))}
      {lines.length > shown.length && `${lines.length - shown.length} more lines are not shown.`}
    </pre>
  );
}

const LINES_SHOWN_MAX = 2_000;

function kindOf(line: string): 'added' | 'removed' | 'context' {
  if (/^(?:---|\+\+\+|@@) /.test(line)) return 'context';
  return line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
}
