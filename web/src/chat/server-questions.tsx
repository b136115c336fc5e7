import type { ReactNode } from 'react';
import { QuestionCard } from './question-card.tsx';
import { SamplingCard } from './sampling-card.tsx';
import { useServerQuestions } from './page-host.tsx';
import { counted } from '../parts/words.ts';
import styles from './question-card.module.css';

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
          {questions.map((question) =>
            question.kind === 'sampling' ? (
              <SamplingCard key={question.id} question={question} />
            ) : (
              <QuestionCard key={question.id} question={question} />
            ),
          )}
        </div>
      )}
    </>
  );
}
