import type { ReactNode } from 'react';
import type { Approval } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { OFFERS } from './approval-words.ts';
import type { CardMode } from './approval-card.tsx';
import type { GiveAnswer } from './use-answer.ts';
import styles from './approval-card.module.css';

interface ApprovalAnswersProps {
  readonly approval: Approval;
  readonly onAnswer: GiveAnswer;
  readonly onMode: (mode: CardMode) => void;
  readonly busy: boolean;
}

/** The answers that this approval takes; what is destructive or flagged offers no “always”. */
export function ApprovalAnswers({ approval, onAnswer, onMode, busy }: ApprovalAnswersProps): ReactNode {
  const { offers, requester, risk } = approval;
  return (
    <footer className={styles['answers']}>
      <Button
        look={risk === 'destructive' ? 'plain' : 'primary'}
        busy={busy}
        title={OFFERS.once.more}
        onClick={() => onAnswer({ effect: 'allow' })}
      >
        {OFFERS.once.button}
      </Button>
      {offers.map((offer) =>
        offer === 'once' ? null : (
          <Button
            key={offer}
            busy={busy}
            title={OFFERS[offer].more}
            onClick={() =>
              offer === 'arguments' ? onMode('pattern') : onAnswer({ effect: 'allow', remember: offer })
            }
          >
            {OFFERS[offer].button}
          </Button>
        ),
      )}
      <Button look="quiet" icon="edit" busy={busy} onClick={() => onMode('edit')}>
        Edit
      </Button>
      <span className={styles['gap']} />
      <Button look="danger" busy={busy} onClick={() => onAnswer({ effect: 'deny' })}>
        Deny
      </Button>
      {requester.kind !== 'person' && (
        <Button look="quiet" busy={busy} onClick={() => onMode('note')}>
          Deny with a note
        </Button>
      )}
    </footer>
  );
}
