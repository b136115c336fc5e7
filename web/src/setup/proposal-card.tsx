import { useState, type ReactNode } from 'react';
import { RegistryResults } from '../add/registry-results.tsx';
import { RepairNote } from '../add/repair-note.tsx';
import { PasteProblems } from '../add/paste-problems.tsx';
import { Icon } from '../parts/icon.tsx';
import type { Part } from './entries.ts';
import { InstallCard } from './install-card.tsx';
import { RemoveCard } from './remove-card.tsx';
import { KeyCard } from './key-card.tsx';
import { SignInCard } from './sign-in-card.tsx';
import { SwitchCard } from './switch-card.tsx';
import { PlugError } from '../../../src/base/errors.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { settle } from './talk.ts';
import styles from './setup.module.css';

interface ProposalCardProps {
  readonly part: Extract<Part, { readonly kind: 'proposal' }>;
  readonly said: string;
  readonly busy: boolean;
  readonly onSay: (text: string) => void;
}

/** Something to agree to. Nothing happens before the person has. */
export function ProposalCard({ part, said, busy, onSay }: ProposalCardProps): ReactNode {
  const { id, proposal, settled, bySaying } = part;
  // A card that is answered while one looks at it shows for itself how it went.
  const [before] = useState(settled);
  const fact = bySaying ? settled : before;
  if (fact !== undefined) {
    return (
      <p className={styles['fact']}>
        <Icon name="check" /> {fact}
      </p>
    );
  }
  const answer = (text: string): void => {
    settle(id, `You chose ${text}.`);
    onSay(text);
  };
  switch (proposal.kind) {
    case 'install':
      return <InstallCard id={id} plan={proposal.plan} onAgain={() => onSay(said)} />;
    case 'remove':
      return (
        <RemoveCard id={id} server={proposal.server} credentials={proposal.credentials} settled={settled} />
      );
    case 'sign-in':
      return <SignInCard id={id} server={proposal.server} agreed={proposal.agreed === true} />;
    case 'switch':
      return <SwitchCard id={id} server={proposal.server} on={proposal.on} settled={settled} />;
    case 'key':
      return <KeyCard id={id} server={proposal.server} secret={proposal.secret} settled={settled} />;
    case 'remedy':
      return <ErrorNote error={PlugError.fromView(proposal.error)} />;
    case 'repair':
      return (
        <div className={styles['card']}>
          <PasteProblems problems={proposal.offer.problems} />
          {proposal.offer.repair && (
            <RepairNote
              repair={proposal.offer.repair}
              text={said}
              onUse={() => answer('Yes, use the corrected version')}
            />
          )}
        </div>
      );
    case 'choose':
      break;
  }
  return <RegistryResults results={proposal.choices} busy={busy || settled !== undefined} onAdd={answer} />;
}
