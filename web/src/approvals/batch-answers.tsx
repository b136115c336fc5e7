import type { ReactNode } from 'react';
import { useHubAction, keys } from '../hub/queries.ts';
import type { Approval } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { useToast } from '../parts/toasts.tsx';
import { counted } from '../parts/words.ts';
import styles from './approvals-page.module.css';

/** One answer for all that were asked together; what is dangerous stays, for a look of its own. */
export function BatchAnswers({ approvals }: { readonly approvals: readonly Approval[] }): ReactNode {
  const toast = useToast();
  const [first] = approvals;
  const { mutate, error, isPending } = useHubAction(
    (hub, effect: 'allow' | 'deny') =>
      hub.approvals.answerBatch({ batch: first?.batch ?? '', effect, ids: approvals.map(({ id }) => id) }),
    [keys.approvals],
  );
  const answer = (effect: 'allow' | 'deny'): void =>
    mutate(effect, {
      onSuccess: (outcomes) => {
        const left = approvals.length - outcomes.length;
        const done = `${counted(outcomes.length, 'call')} ${effect === 'allow' ? 'allowed' : 'denied'}.`;
        toast.good(done, left > 0 ? `${counted(left, 'call')} need a look of their own.` : undefined);
      },
    });
  return (
    <>
      <div className={styles['together']}>
        <p>{counted(approvals.length, 'call')} were asked for together.</p>
        <Button busy={isPending} onClick={() => answer('allow')}>
          Allow all once
        </Button>
        <Button look="danger" busy={isPending} onClick={() => answer('deny')}>
          Deny all
        </Button>
      </div>
      {error && <ErrorNote error={error} />}
    </>
  );
}
