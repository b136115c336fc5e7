import { useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useHub } from '../hub/hub-context.tsx';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import { counted } from './words.ts';
import styles from './result-view.module.css';

interface ResultSearchProps {
  readonly id: string;
  readonly onOpen: (page: number) => void;
}

/** Looks through all of a kept result at the hub, so that nothing large comes here. */
export function ResultSearch({ id, onOpen }: ResultSearchProps): ReactNode {
  const hub = useHub();
  const [typed, setTyped] = useState('');
  const [wanted, setWanted] = useState('');
  const { data, error, isFetching } = useQuery({
    queryKey: ['result', id, 'grep', wanted],
    queryFn: () => hub.results.grep({ id, pattern: wanted }),
    enabled: wanted !== '',
  });
  return (
    <>
      <form
        className={styles['row']}
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          setWanted(typed.trim());
        }}
      >
        <input
          className={styles['search']}
          aria-label="Search in this result"
          placeholder="Search in this result"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" icon="search" busy={isFetching}>
          Search
        </Button>
        <span role="status">
          {data && `${counted(data.matches.length, 'line')}${data.truncated ? ' and more' : ''}`}
        </span>
      </form>
      {error && <ErrorNote error={error} />}
      {data && data.matches.length > 0 && (
        <ul className={styles['matches']}>
          {data.matches.slice(0, MATCHES_SHOWN).map((match) => (
            <li key={match.line}>
              <button type="button" className={styles['match']} onClick={() => onOpen(match.page)}>
                {match.line}: {match.text.slice(0, MATCH_CHARS)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const MATCHES_SHOWN = 100;
const MATCH_CHARS = 300;
