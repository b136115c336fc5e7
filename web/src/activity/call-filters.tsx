import type { ReactNode } from 'react';
import { useServers } from '../hub/queries.ts';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { OUTCOMES, type Filters } from './filters.ts';
import styles from './activity.module.css';

interface CallFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

export function CallFilters({ filters, onChange }: CallFiltersProps): ReactNode {
  return (
    <div className={styles['filters']} role="search" aria-label="Filter calls">
      <ServerFilter value={filters.server} onChange={(server) => onChange({ server })} />
      <Select
        label="Outcome"
        value={filters.outcome}
        onChange={(outcome) => onChange({ outcome })}
        choices={[{ value: '' as const, label: 'Any outcome' }, ...CHOICES]}
      />
      <div className={styles['tool']}>
        <TextField
          label="Tool"
          placeholder="Exact name"
          value={filters.tool}
          onChange={(tool) => onChange({ tool })}
        />
      </div>
    </div>
  );
}

interface ServerFilterProps {
  readonly value: string;
  readonly onChange: (server: string) => void;
}

/** One that is gone can still be chosen by the address: its calls are kept. */
export function ServerFilter({ value, onChange }: ServerFilterProps): ReactNode {
  const { data } = useServers();
  const known = (data?.servers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = value === '' || known.some((choice) => choice.value === value);
  return (
    <Select
      label="Server"
      value={value}
      onChange={onChange}
      choices={[{ value: '', label: 'All servers' }, ...known, ...(isKnown ? [] : [{ value, label: value }])]}
    />
  );
}

const CHOICES = (Object.keys(OUTCOMES) as (keyof typeof OUTCOMES)[]) // its own keys
  .map((value) => ({ value, label: `${OUTCOMES[value].symbol} ${OUTCOMES[value].word}` }));
