import type { ReactNode } from 'react';
import type { DefaultsChange, Effect, PolicyDefaults } from '../hub/hub-context.tsx';
import { useHubAction, useHubQuery } from '../hub/queries.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { useToast } from '../parts/toasts.tsx';
import styles from './grants.module.css';

const KEY = ['policy', 'defaults'];

/** What happens where no grant and no rule decides. */
export function Defaults(): ReactNode {
  const toast = useToast();
  const { data, error } = useHubQuery(KEY, (hub) => hub.policy.defaults());
  const change = useHubAction((hub, given: DefaultsChange) => hub.policy.setDefaults(given), [KEY]);
  if (error) return <ErrorNote error={error} />;
  return (
    <section className={styles['section']} aria-labelledby="defaults">
      <h2 id="defaults">Defaults</h2>
      {data && (
        <dl className={styles['defaults']}>
          {ROWS.map(({ label, more, get, make }) => (
            <Row
              key={label}
              label={label}
              more={more}
              value={get(data)}
              onChange={(effect) =>
                change.mutate(make(effect), {
                  onSuccess: () => toast.good(`${label}: ${WORDS[effect].toLowerCase()}`),
                  onError: (failed) => toast.bad(failed),
                })
              }
            />
          ))}
        </dl>
      )}
    </section>
  );
}

interface RowProps {
  readonly label: string;
  readonly more: string;
  readonly value: Effect;
  readonly onChange: (effect: Effect) => void;
}

function Row({ label, more, value, onChange }: RowProps): ReactNode {
  return (
    <>
      <dt>
        {label}
        <span>{more}</span>
      </dt>
      <dd>
        <Select label={label} value={value} choices={CHOICES} onChange={onChange} />
      </dd>
    </>
  );
}

const WORDS: Readonly<Record<Effect, string>> = { allow: 'Allow', ask: 'Ask me', deny: 'Refuse' };

const CHOICES = (['allow', 'ask', 'deny'] as const).map((value) => ({ value, label: WORDS[value] }));

interface DefaultRow {
  readonly label: string;
  readonly more: string;
  readonly get: (defaults: PolicyDefaults) => Effect;
  readonly make: (effect: Effect) => DefaultsChange;
}

const ROWS: readonly DefaultRow[] = [
  {
    label: 'Read-only tools',
    more: 'On servers that you trust; on any other they count as unknown.',
    get: ({ call }) => call.read,
    make: (read) => ({ call: { read } }),
  },
  {
    label: 'Tools that write',
    more: 'They create or change data.',
    get: ({ call }) => call.write,
    make: (write) => ({ call: { write } }),
  },
  {
    label: 'Destructive tools',
    more: 'They delete, overwrite or send data, and can’t be undone.',
    get: ({ call }) => call.destructive,
    make: (destructive) => ({ call: { destructive } }),
  },
  {
    label: 'Tools of unknown risk',
    more: 'Their risk is unknown.',
    get: ({ call }) => call.unknown,
    make: (unknown) => ({ call: { unknown } }),
  },
  {
    label: 'Connecting to a server',
    more: 'Starting a program, or contacting a URL.',
    get: ({ connect }) => connect,
    make: (connect) => ({ connect }),
  },
  {
    label: 'Showing its tools to a model',
    more: 'Names and descriptions are read by the model.',
    get: ({ list }) => list,
    make: (list) => ({ list }),
  },
];
