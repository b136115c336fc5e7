import type { ReactNode } from 'react';
import { useHubQuery } from '../hub/queries.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { ResultPages } from '../parts/result-pages.tsx';
import styles from './activity.module.css';

const BEGINNING_CHARS = 2_000;

/** A result that was kept whole: its beginning, and all of it for who wants it. */
export function StoredResult({ id }: { readonly id: string }): ReactNode {
  const { data, error } = useHubQuery(['result', id, 1], (hub) => hub.results.page({ id, page: 1 }));
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return <p className={styles['meta']}>Loading…</p>;
  return <ResultPages id={id} beginning={data.text.slice(0, BEGINNING_CHARS)} />;
}
