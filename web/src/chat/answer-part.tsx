import { lazy, memo, Suspense, type ReactNode } from 'react';
import { Fold } from '../parts/fold.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { duration } from '../parts/words.ts';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { ChatCall } from './chat-call.tsx';
import type { Part } from './conversation.ts';
import { Suggestions } from './suggestions.tsx';
import styles from './turn-view.module.css';

const AppFrame = lazy(() => import('../apps/app-frame.tsx'));

interface AnswerPartProps {
  readonly part: Part;
  readonly conversationId: string;
  readonly turnId: string;
  readonly onCompose: (text: string) => void;
}

/** One piece of an answer, in its place. */
export const AnswerPart = memo(function AnswerPart(props: AnswerPartProps): ReactNode {
  const { part, conversationId, turnId, onCompose } = props;
  switch (part.kind) {
    case 'text':
      return <Markdown text={part.text} />;
    case 'reasoning':
      return (
        <Fold label="Reasoning">
          <p className={styles['thought']}>{part.text}</p>
        </Fold>
      );
    case 'servers':
      return (
        <p className={styles['meta']}>
          Using {part.servers.length === 0 ? 'no servers' : part.servers.map(showHidden).join(', ')}
          {part.of === undefined ? '' : `, chosen from ${part.of} servers`}.
        </p>
      );
    case 'call':
      return (
        <>
          <ChatCall call={part.call} conversationId={conversationId} turnId={turnId} />
          {part.app && (
            <Suspense fallback={null}>
              <AppFrame app={part.app} call={part.call} onCompose={onCompose} />
            </Suspense>
          )}
        </>
      );
    case 'suggestion':
      return <Suggestions suggestions={part.suggestions} />;
    case 'retry':
      return (
        <p className={styles['meta']}>
          ⚠ {part.reason} Retrying in {duration(Math.max(1_000, part.waitMs))}.
        </p>
      );
    case 'note':
      break;
  }
  return <p className={styles['meta']}>{part.text}</p>;
});
