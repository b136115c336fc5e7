import { useState, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { counted } from './words.ts';
import styles from './result-view.module.css';

/** A text of which the first lines are shown; more of it when somebody wants it, in portions. */
export function CutText({ text }: { readonly text: string }): ReactNode {
  const [chars, setChars] = useState(0);
  const first = firstLines(text);
  const shown = chars === 0 ? first : text.slice(0, chars);
  const left = text.length - shown.length;
  return (
    <>
      {/* It scrolls, so that the keyboard must reach it. */}
      <pre className={styles['text']} tabIndex={0}>
        {shown}
        {left > 0 && ' …'}
      </pre>
      {(left > 0 || chars > 0) && (
        <div className={styles['row']}>
          {left > 0 && (
            <Button look="quiet" onClick={() => setChars(Math.max(chars, first.length) + PORTION_CHARS)}>
              View more
            </Button>
          )}
          {chars > 0 && (
            <Button look="quiet" onClick={() => setChars(0)}>
              View less
            </Button>
          )}
          <CopyButton text={text} />
          {left > 0 && <span>{counted(left, 'character')} more</span>}
        </div>
      )}
    </>
  );
}

const LINES = 20;
const CHARS = 4_000;
const PORTION_CHARS = 100_000;

function firstLines(text: string): string {
  const start = text.slice(0, CHARS);
  let at = -1;
  for (let line = 0; line < LINES; line += 1) {
    at = start.indexOf('\n', at + 1);
    if (at === -1) return start;
  }
  return start.slice(0, at);
}
