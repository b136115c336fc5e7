import { sizeInWords } from '../../../src/base/size-in-words.ts';
import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../hub/hub-context.tsx';
import { Button } from './button.tsx';
import { CutText } from './cut-text.tsx';
import { ErrorNote } from './error-note.tsx';
import { ResultSearch } from './result-search.tsx';
import styles from './result-view.module.css';

interface ResultPagesProps {
  readonly id: string;
  readonly beginning: string;
}

/** A result that is kept at the hub: its beginning, then page by page, and a search through all of it. */
export function ResultPages({ id, beginning }: ResultPagesProps): ReactNode {
  const hub = useHub();
  const [page, setPage] = useState(0);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['result', id, page],
    queryFn: () => hub.results.page({ id, page }),
    enabled: page > 0,
    placeholderData: (before) => before,
  });
  if (page === 0) {
    return (
      <>
        <CutText text={beginning} />
        <div className={styles['row']}>
          <Button onClick={() => setPage(1)}>View all</Button>
          <span>This is the beginning of a large result.</span>
        </div>
      </>
    );
  }
  return (
    <>
      {error && (
        <ErrorNote error={error} action={<Button onClick={() => void refetch()}>Try again</Button>} />
      )}
      {data && (
        <>
          <ResultSearch id={id} onOpen={setPage} />
          <pre
            className={styles['text']}
            tabIndex={0}
            aria-busy={isFetching}
            aria-label={`Page ${data.page}`}
          >
            {data.text}
          </pre>
          <div className={styles['row']}>
            <Button disabled={page <= 1} onClick={() => setPage(page - 1)}>
              Previous
            </Button>
            <span role="status">
              Page {data.page} of {data.pages} · {sizeInWords(data.bytes)}
            </span>
            <Button disabled={page >= data.pages} onClick={() => setPage(page + 1)}>
              Next
            </Button>
            <Button look="quiet" onClick={() => setPage(0)}>
              View less
            </Button>
          </div>
        </>
      )}
    </>
  );
}
