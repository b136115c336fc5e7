import type { ReactNode } from 'react';
import { ErrorNote } from '../parts/error-note.tsx';
import styles from '../settings/settings.module.css';
import { useTeam } from './ask-team.ts';
import type { TeamUsage } from './team-types.ts';

export function Usage(): ReactNode {
  const { data, error } = useTeam<TeamUsage>('/v1/team/usage?days=30');
  return (
    <section aria-label="Usage">
      <h2>Usage in 30 days</h2>
      {error && <ErrorNote error={error} />}
      <ul className={styles['rows']} aria-label="Usage">
        {data?.people.map(({ id, name, calls, failures }) => (
          <li key={id} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{name}</strong>
              <p>
                {calls} {calls === 1 ? 'call' : 'calls'}, {failures} failed
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
