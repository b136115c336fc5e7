import type { ReactNode } from 'react';
import { toPlugError } from '../../../src/base/errors.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { RemedyStep } from '../parts/remedy-step.tsx';
import styles from './add.module.css';

interface PlanFailureProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly onReplace: () => void;
  readonly onWithoutTest: () => void;
}

/** What went wrong and whose move it is, with the buttons that can make it. Nothing typed is lost. */
export function PlanFailure({ error, onRetry, onReplace, onWithoutTest }: PlanFailureProps): ReactNode {
  const { code, remedy } = toPlugError(error);
  if (code === 'not_found') {
    return <p role="status">The plan had expired and was created again. Review it, then add the server.</p>;
  }
  return (
    <div className={styles['stack']}>
      <ErrorNote error={error} action={<></>} />
      {remedy !== undefined && !ASKS_FOR_VALUES.has(code) && code !== 'already_exists' && (
        <p className={styles['meta']}>
          <RemedyStep remedy={remedy} />
        </p>
      )}
      <div className={styles['row']}>
        {code === 'already_exists' && <Button onClick={onReplace}>Replace the existing one</Button>}
        {!ASKS_FOR_VALUES.has(code) && code !== 'already_exists' && (
          <Button icon="retry" onClick={onRetry}>
            Try again
          </Button>
        )}
        {DID_NOT_ANSWER.has(code) && <Button onClick={onWithoutTest}>Add it anyway, without a test</Button>}
      </div>
    </div>
  );
}

const ASKS_FOR_VALUES: ReadonlySet<string> = new Set(['missing_input', 'bad_arguments', 'usage']);

const DID_NOT_ANSWER: ReadonlySet<string> = new Set([
  'start_failed',
  'start_timeout',
  'crashed',
  'unreachable',
  'rate_limited',
  'missing_command',
  'protocol_error',
  'server_error',
]);
