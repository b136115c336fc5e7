import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { ServerQuestions } from '../chat/server-questions.tsx';
import { places } from '../frame/places.ts';
import { useHubQuery, keys } from '../hub/queries.ts';
import { counted } from '../parts/words.ts';
import styles from './approvals-page.module.css';

/** Says on every page that somebody waits for an answer. */
export function WaitingBar(): ReactNode {
  const { data } = useHubQuery(keys.approvals, (hub) => hub.approvals.list());
  const [isThere] = useRoute(places.approvals);
  const count = data?.length ?? 0;
  const [isChat] = useRoute('/chat/:id?');
  return (
    <>
      <div role="status">
        {count > 0 && !isThere && (
          <Link href={places.approvals} className={styles['bar']}>
            <span aria-hidden="true">▸ </span>
            {counted(count, 'approval')} waiting
          </Link>
        )}
      </div>
      {/* In a chat they stand where one types. */}
      {!isChat && <ServerQuestions apart />}
    </>
  );
}
