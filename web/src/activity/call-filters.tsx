import type { ReactNode } from 'react';
import { showHidden } from '../../../src/catalog/hidden-text.ts';
import { PAGE_HOST } from '../approvals/approval-words.ts';
import { keys, useHubQuery, useServers } from '../hub/queries.ts';
import { Select } from '../parts/select.tsx';
import { SearchField } from '../servers/search-field.tsx';
import { appLabel, appOf } from './call-words.ts';
import { OUTCOMES, type Filters } from './filters.ts';
import styles from './activity.module.css';

interface CallFiltersProps {
  readonly filters: Filters;
  readonly onChange: (change: Partial<Filters>) => void;
}

export function CallFilters({ filters, onChange }: CallFiltersProps): ReactNode {
  return (
    <div className={styles['filters']} role="search" aria-label="Filter calls">
      <AppFilter value={filters.app} onChange={(app) => onChange({ app })} />
      <ServerFilter value={filters.server} onChange={(server) => onChange({ server })} />
      <Select
        label="Outcome"
        value={filters.outcome}
        onChange={(outcome) => onChange({ outcome })}
        choices={[{ value: '' as const, label: 'Any outcome' }, ...CHOICES]}
      />
      <SearchField
        label="Tool, by exact name"
        value={filters.tool}
        onChange={(tool) => onChange({ tool })}
        slash={false}
      />
    </div>
  );
}

interface AppFilterProps {
  readonly value: string;
  readonly onChange: (app: string) => void;
}

/** You, and the apps that have called something lately or have a token. */
function AppFilter({ value, onChange }: AppFilterProps): ReactNode {
  const { data: hosts = [] } = useHubQuery(keys.hosts, (hub) => hub.hosts.list());
  const { data: lately } = useHubQuery(keys.calls({ apps: true }), (hub) =>
    hub.audit.query({ limit: LOOKED_THROUGH }),
  );
  const seen = (lately?.records ?? []).map(({ requester }) => appOf(requester));
  const apps = new Set([...seen, ...hosts.map(({ name }) => name), value].filter((app) => !NAMED.has(app)));
  return (
    <Select
      label="App"
      value={value}
      onChange={onChange}
      choices={[
        { value: '', label: 'All apps' },
        ...['person', PAGE_HOST, ...[...apps].toSorted()].map((app) => ({
          value: app,
          label: showHidden(appLabel(app)),
        })),
      ]}
    />
  );
}

const NAMED: ReadonlySet<string> = new Set(['', 'person', PAGE_HOST]);
const LOOKED_THROUGH = 500;

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
