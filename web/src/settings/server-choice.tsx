import type { ReactNode } from 'react';
import { useServers } from '../hub/queries.ts';
import { Switch } from '../parts/switch.tsx';
import styles from './settings.module.css';

interface ServerChoiceProps {
  /** Undefined: all, also those to come. */
  readonly value: readonly string[] | undefined;
  readonly onChange: (servers: readonly string[] | undefined) => void;
}

/** All servers, or these. Patterns that somebody wrote elsewhere stay. */
export function ServerChoice({ value, onChange }: ServerChoiceProps): ReactNode {
  const { data } = useServers();
  const known = (data?.servers ?? []).map(({ id }) => id);
  const listed = [...known, ...(value ?? []).filter((id) => !known.includes(id))];
  const toggle = (id: string, on: boolean): void =>
    onChange(on ? [...(value ?? []), id] : (value ?? []).filter((each) => each !== id));
  return (
    <>
      <Switch
        label="All servers, also those that you add later"
        checked={value === undefined}
        onChange={(all) => onChange(all ? undefined : [])}
        shown
      />
      {value !== undefined && (
        <div className={styles['checks']} role="group" aria-label="Servers">
          {listed.map((id) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={value.includes(id)}
                onChange={(event) => toggle(id, event.target.checked)}
              />
              {id}
            </label>
          ))}
        </div>
      )}
    </>
  );
}
