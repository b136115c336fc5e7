import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { PlanOffer } from '../hub/hub-context.tsx';
import { useHubAction } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { keepText, keptText, takeHandedOver } from './drafts.ts';
import { Examples } from './examples.tsx';
import { OfferView } from './offer-view.tsx';
import { PasteBox } from './paste-box.tsx';
import { RecognizedLine } from './recognized-line.tsx';
import { useRecognized } from './use-recognized.ts';
import styles from './add.module.css';

/** What was added is not what the next visit is for; the box keeps it as long as one looks at it. */
const forgetText = (): void => keepText('');

interface PasteAnythingProps {
  /** What the address puts into the box. It is only filled in: anybody can write an address. */
  readonly given?: string | undefined;
  /** Absent in a team: its hub reads neither apps of its machine nor pictures. */
  readonly onImport?: () => void;
}

/** One box for anything; below it what it is, and then what would be added. */
export function PasteAnything({ given, onImport }: PasteAnythingProps): ReactNode {
  const [text, setText] = useState(() => given ?? keptText());
  const [offered, setOffered] = useState<{ readonly text: string; readonly offer: PlanOffer }>();
  const plans = useRef<HTMLDivElement>(null);
  const recognized = useRecognized(text);
  const make = useHubAction(async (hub, chosen: string) => ({
    text: chosen,
    offer: await hub.plans.make({ text: chosen }),
  }));
  const change = (next: string): void => {
    setText(next);
    keepText(next);
  };
  const goOn = (chosen: string): void => {
    if (chosen.trim() === '' || make.isPending) return;
    make.mutate(chosen, {
      onSuccess: (made) => {
        setOffered(made);
        window.requestAnimationFrame(() => plans.current?.focus());
      },
    });
  };
  const take = (chosen: string): void => {
    change(chosen);
    goOn(chosen);
  };
  useEffect(() => {
    const typed = takeHandedOver();
    if (typed !== undefined) take(typed);
  }, []); // eslint-disable-line react/exhaustive-deps -- what was handed over is taken once
  const startAgain = (): void => {
    change('');
    setOffered(undefined);
    make.reset();
    window.requestAnimationFrame(() => document.querySelector<HTMLElement>('#paste')?.focus());
  };
  const isEmpty = text.trim() === '';
  return (
    <div className={styles['stack']}>
      <PasteBox
        text={text}
        onChange={change}
        onGoOn={() => goOn(text)}
        busy={make.isPending}
        pictures={onImport !== undefined}
      />
      {/* While the plan is made, a correction taken here would be overtaken by the plan of the old text. */}
      {!isEmpty && !make.isPending && offered?.text !== text && (
        <RecognizedLine recognized={recognized} text={text} onUse={change} />
      )}
      {isEmpty && !offered && <Examples onTake={take} onImport={onImport} />}
      <div role="status" className={styles['said']}>
        {make.isPending && (
          <p className={styles['waiting']}>
            <Spinner /> Looking at what this would run or contact…
          </p>
        )}
      </div>
      {make.error && !make.isPending && (
        <ErrorNote error={make.error} action={<Button onClick={() => goOn(text)}>Try again</Button>} />
      )}
      {offered && (!make.isPending || make.variables === offered.text) && (
        <div ref={plans} tabIndex={-1} className={styles['offer']}>
          <OfferView
            key={offered.text}
            offer={offered.offer}
            text={offered.text}
            onTake={take}
            onAgain={() => make.mutate(offered.text, { onSuccess: setOffered })}
            onAnother={startAgain}
            onDone={forgetText}
          />
        </div>
      )}
    </div>
  );
}
