import type { ReactNode } from 'react';
import type { ServerQuestion } from './page-host.tsx';
import { QuestionCard } from './question-card.tsx';
import { SamplingCard } from './sampling-card.tsx';

/** One card for each; loaded when a server asks. */
export default function QuestionCards({
  questions,
}: {
  readonly questions: readonly ServerQuestion[];
}): ReactNode {
  return questions.map((question) =>
    question.kind === 'sampling' ? (
      <SamplingCard key={question.id} question={question} />
    ) : (
      <QuestionCard key={question.id} question={question} />
    ),
  );
}
