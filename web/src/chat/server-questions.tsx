import { lazy, Suspense, type ReactNode } from 'react';
import { useServerQuestions } from './page-host.tsx';
import { counted } from '../parts/words.ts';
import styles from './question-card.module.css';

const QuestionCards = lazy(() => import('./question-cards.tsx'));

/** What servers want to know, wherever one is. */
export function ServerQuestions({ apart = false }: { readonly apart?: boolean }): ReactNode {
  const questions = useServerQuestions();
  return (
    <>
      <span role="status" className="only-heard">
        {questions.length > 0 && `${counted(questions.length, 'question')} of a server`}
      </span>
      {questions.length > 0 && (
        <div className={apart ? styles['place'] : undefined}>
          <Suspense>
            <QuestionCards questions={questions} />
          </Suspense>
        </div>
      )}
    </>
  );
}
