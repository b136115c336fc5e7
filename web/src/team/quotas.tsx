import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import { isAdmin, type Me, type TeamGroup, type TeamPerson, type TeamQuota } from './team-types.ts';

/** How many calls may be made. Auditors read it. */
export function Quotas({ me }: { readonly me: Me }): ReactNode {
  const { data: quotas = [], error, isSuccess } = useTeam<readonly TeamQuota[]>('/v1/team/quotas');
  const { data: people = [] } = useTeam<readonly TeamPerson[]>('/v1/team/people');
  const act = useTeamAction();
  const [changing, setChanging] = useState<number>();
  const save = (given: readonly TeamQuota[]): Promise<unknown> =>
    act.mutateAsync({ method: 'PUT', path: '/v1/team/quotas', body: { quotas: given } });
  const keep = async (quota: TeamQuota): Promise<void> => {
    await save(changing === undefined ? [...quotas, quota] : quotas.with(changing, quota));
    // Meanwhile, a change of another one may have begun.
    if (changing !== undefined) setChanging(undefined);
  };
  return (
    <section aria-label="Quotas">
      <h2>Quotas</h2>
      <p className={styles['lead']}>Calls beyond a quota fail, and say when the next one may be made.</p>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      {isSuccess && quotas.length === 0 && <p>No quotas: calls aren’t limited.</p>}
      <ul className={styles['rows']} aria-label="Quotas">
        {quotas.map((quota, index) => {
          const says = wordsOf(quota, people);
          return (
            // oxlint-disable-next-line react/no-array-index-key -- two quotas may be the same
            <li key={index} className={styles['row']}>
              <div className={styles['what']}>{says}</div>
              {isAdmin(me) && (
                <>
                  <Button look="quiet" aria-label={`Change ${says}`} onClick={() => setChanging(index)}>
                    Change
                  </Button>
                  <Button
                    look="quiet"
                    aria-label={`Remove ${says}`}
                    onClick={() => void save(quotas.toSpliced(index, 1)).catch(() => undefined)}
                  >
                    Remove
                  </Button>
                </>
              )}
            </li>
          );
        })}
      </ul>
      {isAdmin(me) && isSuccess && (
        <QuotaForm
          key={changing ?? `new ${quotas.length}`}
          quota={changing === undefined ? undefined : quotas[changing]}
          people={people}
          keep={keep}
        />
      )}
    </section>
  );
}

/** “100 calls an hour for each person of Sales, on crm”. */
function wordsOf(
  { calls, per, of, server, person, group }: TeamQuota,
  people: readonly TeamPerson[],
): string {
  const count = `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'}`;
  const span = per === 'hour' ? 'an hour' : `a ${per}`;
  const where = server === undefined ? '' : `, on ${server}`;
  return `${count} ${span} ${whoseWords(of === 'all', group, people.find(({ id }) => id === person)?.name ?? person)}${where}`;
}

function whoseWords(together: boolean, group: string | undefined, person: string | undefined): string {
  if (person !== undefined) return `for ${person}`;
  const of = group === undefined ? '' : ` of ${group}`;
  return together ? `for everybody${of} together` : `for each person${of}`;
}

const SPANS = [
  { value: 'minute', label: 'a minute' },
  { value: 'hour', label: 'an hour' },
  { value: 'day', label: 'a day' },
] as const;

interface QuotaFormProps {
  readonly quota: TeamQuota | undefined;
  readonly people: readonly TeamPerson[];
  readonly keep: (quota: TeamQuota) => Promise<void>;
}

function QuotaForm({ quota, people, keep }: QuotaFormProps): ReactNode {
  const { data: groups = [] } = useTeam<readonly TeamGroup[]>('/v1/team/groups');
  const [calls, setCalls] = useState(String(quota?.calls ?? ''));
  const [per, setPer] = useState<TeamQuota['per']>(quota?.per ?? 'hour');
  const [whose, setWhose] = useState(choiceOf(quota));
  const [server, setServer] = useState(quota?.server ?? '');
  const choices = [
    { value: 'each', label: 'for each person' },
    { value: 'all', label: 'for everybody together' },
    ...groups.flatMap(({ name }) => [
      { value: `each of ${name}`, label: `for each person of ${name}` },
      { value: `all of ${name}`, label: `for everybody of ${name} together` },
    ]),
    ...people.map(({ id, name }) => ({ value: `person ${id}`, label: `for ${name}` })),
  ];
  const made: TeamQuota = {
    calls: Number(calls),
    per,
    ...chosen(whose),
    ...(server === '' ? {} : { server }),
  };
  return (
    <form
      className={styles['form']}
      aria-label={quota ? 'Change the quota' : 'New quota'}
      onSubmit={(event) => {
        event.preventDefault();
        // What is wrong with it is shown above.
        void keep(made).catch(() => undefined);
      }}
    >
      <div className={styles['two']}>
        <TextField label="Calls" type="number" min={0} step={1} value={calls} onChange={setCalls} required />
        <TextField label="Server" value={server} onChange={setServer} hint="Empty: calls of all servers" />
      </div>
      <div className={styles['buttons']}>
        <Select label="Period" value={per} choices={SPANS} onChange={setPer} />
        <Select label="Counted" value={whose} choices={choices} onChange={setWhose} />
        <Button type="submit">{quota ? 'Save quota' : 'Add quota'}</Button>
      </div>
    </form>
  );
}

function choiceOf({ of = 'each', group, person }: Partial<TeamQuota> = {}): string {
  if (person !== undefined) return `person ${person}`;
  return group === undefined ? of : `${of} of ${group}`;
}

function chosen(choice: string): Pick<TeamQuota, 'of' | 'group' | 'person'> {
  if (choice.startsWith('person ')) return { person: choice.slice('person '.length) };
  const [of = 'each', group] = choice.split(/ of (.*)/s);
  return { of: of === 'all' ? 'all' : 'each', ...(group === undefined ? {} : { group }) };
}
