import type { ReactNode } from 'react';
import type { Approval } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { Menu, type MenuItem } from '../parts/menu.tsx';
import { OFFERS } from './approval-words.ts';
import type { CardMode } from './approval-card.tsx';
import type { GiveAnswer } from './use-answer.ts';
import { useTrust } from './use-trust.ts';
import styles from './approval-card.module.css';

interface ApprovalAnswersProps {
  readonly approval: Approval;
  readonly onAnswer: GiveAnswer;
  readonly onMode: (mode: CardMode) => void;
  readonly busy: boolean;
}

/** Yes and no, for this call; everything else is in one menu. */
export function ApprovalAnswers({ approval, onAnswer, onMode, busy }: ApprovalAnswersProps): ReactNode {
  const { offers, requester, risk } = approval;
  const trust = useTrust(approval, onAnswer);
  // What is destructive or flagged is offered for this call alone.
  const remembered = offers.flatMap((offer): readonly MenuItem[] => {
    if (offer === 'once') return [];
    const choose = (): void =>
      offer === 'arguments' ? onMode('pattern') : onAnswer({ effect: 'allow', remember: offer });
    return [{ label: OFFERS[offer].button, onChoose: choose }];
  });
  const note: MenuItem = { label: 'Deny with a note…', onChoose: () => onMode('note') };
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
      <Button look="danger" busy={busy} onClick={() => onAnswer({ effect: 'deny' })}>
        Deny
      </Button>
      <Menu
        label="More answers"
        items={[
          ...remembered,
          { label: 'Edit arguments…', icon: 'edit', onChoose: () => onMode('edit') },
          ...(trust ? [trust] : []),
          ...(requester.kind === 'person' ? [] : [note]),
        ]}
      />
    </footer>
  );
}
