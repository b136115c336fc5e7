import { memo, useDeferredValue, type ReactNode } from 'react';
import { PlugError } from '../../../src/base/errors.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { AnswerPart } from './answer-part.tsx';
import { saidIn, type Turn } from './conversation.ts';
import { Pictures } from './pictures.tsx';
import { UsageLine } from './usage-line.tsx';
import styles from './turn-view.module.css';

interface TurnViewProps {
  readonly conversationId: string;
  readonly turn: Turn;
  readonly isLast: boolean;
  readonly onRetry: (turn: Turn) => void;
  readonly onEdit: (turn: Turn) => void;
  readonly onCompose: (text: string) => void;
}

/** One message and its answer. */
export const TurnView = memo(
  function TurnView(props: TurnViewProps): ReactNode {
    const { conversationId, turn, isLast, onRetry, onEdit, onCompose } = props;
    const { state, error, usage } = turn;
    const parts = useDeferredValue(turn.parts);
    const isRunning = state === 'running';
    const retry = (
      <Button icon="retry" onClick={() => onRetry(turn)}>
        Try again
      </Button>
    );
    return (
      <article className={styles['turn']} aria-label={`Message: ${turn.text.slice(0, 80)}`}>
        <div className={styles['person']}>
          <div className={styles['said']}>
            <Pictures pictures={turn.pictures ?? []} />
            {turn.text}
          </div>
          {isLast && !isRunning && (
            <IconButton label="Edit this message" icon="edit" onClick={() => onEdit(turn)} />
          )}
        </div>
        <div className={styles['answer']} aria-busy={isRunning}>
          {parts.map((part, index) => (
            <AnswerPart
              // oxlint-disable-next-line react/no-array-index-key -- parts are only ever added at the end
              key={index}
              part={part}
              conversationId={conversationId}
              turnId={turn.id}
              onCompose={onCompose}
            />
          ))}
          <p role="status" className={styles['state']}>
            {isRunning && (
              <>
                <Spinner /> {parts.length === 0 ? 'Thinking…' : 'Working…'}
              </>
            )}
            {ENDS[state]}
          </p>
          {error && state === 'failed' && (
            <ErrorNote error={PlugError.fromView(error)} action={isLast && retry} />
          )}
          {!isRunning && (
            <footer className={styles['foot']}>
              {usage && <UsageLine usage={usage} />}
              {saidIn(turn) !== '' && <CopyButton text={saidIn(turn)} label="Copy answer" />}
              {isLast && (state === 'stopped' || state === 'done') && (
                <Button look="quiet" icon="retry" onClick={() => onRetry(turn)}>
                  Ask again
                </Button>
              )}
            </footer>
          )}
        </div>
      </article>
    );
  },
  // The callbacks read what is current when they are called, for the last turn alone.
  (before, after) => before.turn === after.turn && before.isLast === after.isLast && !after.isLast,
);

const ENDS: Readonly<Record<Turn['state'], string>> = {
  running: '',
  done: '',
  length: 'The answer reached the model’s output limit. Say “continue” to resume.',
  steps: 'Stopped after too many steps. Say “continue” to resume.',
  stopped: 'You stopped this answer.',
  failed: '',
};
