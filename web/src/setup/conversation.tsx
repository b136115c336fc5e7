import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { useHub } from '../hub/hub-context.tsx';
import { AnswerEntry } from './answer-entry.tsx';
import { Composer } from './composer.tsx';
import { FactEntry } from './fact-entry.tsx';
import { SaidEntry } from './said-entry.tsx';
import { Starters } from './starters.tsx';
import { say, useTalk } from './talk.ts';
import styles from './setup.module.css';

/** What was said and answered, and the box to go on. */
export function Conversation(): ReactNode {
  const hub = useHub();
  const { entries } = useTalk();
  const tell = useCallback((text: string) => void say(hub, text), [hub]);
  const running = entries.some((entry) => entry.kind === 'answer' && entry.state === 'running');
  const place = useFollowing(entries);
  return (
    <section className={styles['talk']} aria-label="Conversation">
      <div ref={place} className={styles['entries']} tabIndex={0} role="log" aria-label="What was said">
        {entries.length === 0 && <Starters onSay={tell} />}
        {entries.map((entry, index) => {
          if (entry.kind === 'said') return <SaidEntry key={entry.id} entry={entry} />;
          if (entry.kind === 'fact') return <FactEntry key={entry.id} entry={entry} />;
          const said = entries.slice(0, index).findLast((each) => each.kind === 'said')?.text ?? '';
          return <AnswerEntry key={entry.id} entry={entry} said={said} busy={running} onSay={tell} />;
        })}
      </div>
      <Composer running={running} onSay={tell} />
    </section>
  );
}

const NEAR_PX = 80;

/** Stays at the end while it grows, unless somebody reads further up. */
function useFollowing(entries: readonly unknown[]): { readonly current: HTMLDivElement | null } {
  const place = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const onScroll = (): void => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    };
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => element.removeEventListener('scroll', onScroll);
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element !== null && atEnd.current) element.scrollTop = element.scrollHeight;
  }, [entries]);
  return place;
}
