import type { ReactNode } from 'react';
import { CutText } from '../parts/cut-text.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Said } from './entries.ts';
import styles from './setup.module.css';

/** What the person said; a pasted text keeps its lines. */
export function SaidEntry({ entry: { text, hasKey } }: { readonly entry: Said }): ReactNode {
  const isText = text.includes('\n') || text.length > LONG_CHARS;
  return (
    <div className={styles['said']}>
      <span className="only-heard">You said: </span>
      {isText ? <CutText text={text} /> : <p>{text}</p>}
      {hasKey && (
        <p className={styles['key']}>
          <Icon name="key" /> The key in it is hidden. No model sees it.
        </p>
      )}
    </div>
  );
}

const LONG_CHARS = 400;
