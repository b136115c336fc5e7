import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { Button } from '../parts/button.tsx';
import type { AppQuestion } from './app-bridge.ts';
import styles from './app-frame.module.css';

interface AppQuestionCardProps {
  readonly server: string;
  readonly question: AppQuestion;
  readonly onCompose: (text: string) => void;
  readonly onDone: () => void;
}

/** What an app wants of its person: to leave for another page, or to put words into their mouth. */
export function AppQuestionCard({ server, question, onCompose, onDone }: AppQuestionCardProps): ReactNode {
  const agree = (): void => {
    if (question.kind === 'link') window.open(question.url, '_blank', 'noopener,noreferrer');
    else onCompose(question.text);
    question.answer(true);
    onDone();
  };
  const refuse = (): void => {
    question.answer(false);
    onDone();
  };
  return (
    <div className={styles['question']} role="group" aria-label={`Question of the page of ${server}`}>
      {question.kind === 'link' ? (
        <p>
          The page of {showHidden(server)} wants to open <strong>{new URL(question.url).host}</strong>
          <span className={styles['address']}>{showHidden(question.url)}</span>
        </p>
      ) : (
        <p>
          The page of {showHidden(server)} wants to write this for you to send:
          <span className={styles['words']}>{showHidden(question.text)}</span>
        </p>
      )}
      <div className={styles['row']}>
        <Button onClick={agree}>{question.kind === 'link' ? 'Open' : 'Put it into the box'}</Button>
        <Button look="quiet" onClick={refuse}>
          No
        </Button>
      </div>
    </div>
  );
}
