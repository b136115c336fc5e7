import type { ReactNode } from 'react';
import { useHubQuery } from '../hub/queries.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import styles from './grants.module.css';

/** The rules file as it is understood: it is written by hand, and only shown here. */
export function Rules(): ReactNode {
  const { data, error } = useHubQuery(['policy', 'rules'], (hub) => hub.policy.rules());
  if (error) return <ErrorNote error={error} />;
  if (data === undefined) return null;
  return (
    <section className={styles['section']} aria-labelledby="rules">
      <h2 id="rules">Rules</h2>
      <p className={styles['path']}>
        {data.exists ? 'Read from' : 'You have none yet. Write them into'} <code>{data.file}</code>{' '}
        <CopyButton text={data.file} label="Copy path" />
      </p>
      {data.problems.length > 0 && (
        <div role="alert" className={styles['stale']}>
          <p>The file is invalid. The last valid rules stay in force.</p>
          <ul>
            {data.problems.map(({ line, column, message }) => (
              <li key={`${line}:${column}:${message}`}>
                Line {line}, column {column}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {data.rules.length > 0 && (
        <ol className={styles['rows']}>
          {data.rules.map(({ name, says }) => (
            <li key={name} className={styles['row']}>
              <p>
                <strong>{name}</strong>
                <br />
                {says}
              </p>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
