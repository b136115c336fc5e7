import { useState, type ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { Button } from '../parts/button.tsx';
import { counted } from '../parts/words.ts';
import { AddAll, type Adders } from './add-all.tsx';
import { Declined } from './declined.tsx';
import { PasteProblems } from './paste-problems.tsx';
import { PlanWays } from './plan-ways.tsx';
import { RegistryAnswers } from './registry-answers.tsx';
import { RegistryResults } from './registry-results.tsx';
import { RepairNote } from './repair-note.tsx';
import styles from './add.module.css';

interface OfferViewProps {
  readonly offer: PlanOffer;
  /** What it was made of. */
  readonly text: string;
  /** Goes on with another text. */
  readonly onTake: (text: string) => void;
  /** The hub has forgotten a plan: it has to be made again. */
  readonly onAgain: () => void;
  readonly onAnother: () => void;
  /** The one server that it was about is there. */
  readonly onDone?: () => void;
}

/** What a text stands for: plans to look at, servers to choose from, or why there is none. */
export function OfferView(props: OfferViewProps): ReactNode {
  const { offer, text, onTake, onAgain, onAnother, onDone } = props;
  const { plans, declined, choices, registries, repair, notMcp, problems } = offer;
  const [shown, setShown] = useState(PLANS_SHOWN);
  const [adders] = useState<Adders>(() => new Map());
  // What was guessed is a question first: nothing is offered that is not in the text as it reads.
  if (repair) return <RepairNote repair={repair} text={text} onUse={onTake} />;
  const hasNothing = plans.length === 0 && choices.length === 0 && declined.length === 0;
  return (
    <>
      <PasteProblems problems={problems} />
      {notMcp !== undefined && <p className={styles['card']}>{notMcp}</p>}
      {plans.length > 1 && <AddAll format={offer.format} adders={adders} />}
      {plans.slice(0, shown).map((plan, at) => (
        <PlanWays // A plan that is made again keeps what was typed: it is known by its place, not by its id.
          key={`${at}:${plan.server}`}
          offered={plan}
          adders={adders}
          onAgain={onAgain}
          onAnother={onAnother}
          {...(plans.length === 1 && onDone ? { onAdded: onDone } : {})}
        />
      ))}
      {plans.length > shown && (
        <Button onClick={() => setShown(shown + PLANS_SHOWN)}>
          Show {counted(Math.min(PLANS_SHOWN, plans.length - shown), 'more server', 'more servers')}
        </Button>
      )}
      {declined.map((server) => (
        <Declined key={server.name} server={server} />
      ))}
      {registries.length > 0 && <RegistryAnswers answers={registries} />}
      {choices.length > 0 && (
        <section className={styles['stack']} aria-label="Servers to choose from">
          <h2>Which one do you mean by “{showHidden(text.trim().slice(0, 60))}”?</h2>
          <RegistryResults results={choices} onAdd={onTake} />
        </section>
      )}
      {hasNothing && notMcp === undefined && (
        <p className={styles['card']}>No results. Paste the server's URL, or the config from its website.</p>
      )}
    </>
  );
}

const PLANS_SHOWN = 20;
