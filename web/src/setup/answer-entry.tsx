import { memo, type ReactNode } from 'react';
import { PlugError } from '../../../src/base/errors.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Spinner } from '../parts/spinner.tsx';
import type { Answer, Part } from './entries.ts';
import { ProposalCard } from './proposal-card.tsx';
import { ToolLine } from './tool-line.tsx';
import styles from './setup.module.css';

interface AnswerEntryProps {
  readonly entry: Answer;
  /** What it answers. */
  readonly said: string;
  /** An answer is under way: nothing else can be said. */
  readonly busy: boolean;
  readonly onSay: (text: string) => void;
}

/** An answer as it comes: words, what is being done, and what is proposed. */
export const AnswerEntry = memo(function AnswerEntry({
  entry,
  said,
  busy,
  onSay,
}: AnswerEntryProps): ReactNode {
  const { parts, state, error, model } = entry;
  return (
    <article className={styles['answer']} aria-busy={state === 'running'} aria-label="Answer">
      {parts.map((part, index) => (
        <PartView key={keyOf(part, index)} part={part} said={said} busy={busy} onSay={onSay} />
      ))}
      {state === 'running' && !parts.some((part) => part.kind === 'tool' && part.outcome === undefined) && (
        <p className={styles['meta']}>
          <Spinner /> {parts.length === 0 ? 'Thinking…' : ''}
        </p>
      )}
      {state === 'stopped' && <p className={styles['meta']}>Stopped.</p>}
      {error && (
        <ErrorNote
          error={PlugError.fromView(error)}
          action={
            <Button disabled={busy} onClick={() => onSay(said)}>
              Try again
            </Button>
          }
        />
      )}
      {state === 'done' && model !== undefined && <p className={styles['meta']}>answered by {model}</p>}
    </article>
  );
});

type PartViewProps = Omit<AnswerEntryProps, 'entry'> & { readonly part: Part };

function PartView({ part, said, busy, onSay }: PartViewProps): ReactNode {
  if (part.kind === 'text') return <Markdown text={part.text} />;
  if (part.kind === 'tool') return <ToolLine says={part.says} outcome={part.outcome} />;
  return <ProposalCard part={part} said={said} busy={busy} onSay={onSay} />;
}

function keyOf(part: Part, index: number): string {
  return part.kind === 'text' ? `text ${index}` : part.id;
}
