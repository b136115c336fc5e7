import { useEffect, useRef, type ReactNode } from 'react';
import { EmptyState } from '../parts/empty-state.tsx';
import type { Conversation, Turn } from './conversation.ts';
import { Openers } from './openers.tsx';
import { TurnView } from './turn-view.tsx';
import styles from './chat-page.module.css';

interface ThreadProps {
  readonly conversation: Conversation;
  readonly onRetry: (turn: Turn) => void;
  readonly onEdit: (turn: Turn) => void;
  /** Puts a text into the box. */
  readonly onCompose: (text: string) => void;
  /** What waits for the person, below everything that was said. */
  readonly children: ReactNode;
}

/** What was said. It stays at its end while something is added, unless one has scrolled away from it. */
export function Thread(props: ThreadProps): ReactNode {
  const { conversation, onRetry, onEdit, onCompose, children } = props;
  const { turns } = conversation;
  const pane = useRef<HTMLDivElement>(null);
  useStayAtEnd(pane, turns);
  return (
    <div ref={pane} className={styles['pane']} tabIndex={0} role="region" aria-label="Conversation">
      <div className={styles['thread']}>
        {turns.length === 0 && (
          <EmptyState title="How can I help?">
            Ask in your own words. The model uses the servers your request needs; type @ to choose them
            yourself. It asks before it changes anything.
            <Openers onCompose={onCompose} />
          </EmptyState>
        )}
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            conversationId={conversation.id}
            turn={turn}
            isLast={index === turns.length - 1}
            onRetry={onRetry}
            onEdit={onEdit}
            onCompose={onCompose}
          />
        ))}
        {children}
      </div>
    </div>
  );
}

function useStayAtEnd(pane: { readonly current: HTMLDivElement | null }, turns: readonly Turn[]): void {
  const atEnd = useRef(true);
  useEffect(() => {
    const element = pane.current;
    const content = element?.firstElementChild;
    if (!element || !content) return undefined;
    const look = (): void => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
    };
    // Cards, pictures and folds grow after they were drawn first.
    const grown = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    grown.observe(content);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      grown.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [pane]);
  // Whoever says something wants to see what comes of it.
  useEffect(() => {
    atEnd.current = true;
    if (pane.current) pane.current.scrollTop = pane.current.scrollHeight;
  }, [pane, turns.length]);
}

const NEAR_PX = 80;
