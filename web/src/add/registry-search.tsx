import { useState, type FormEvent, type ReactNode } from 'react';
import type { PlanOffer, RegistryQuery } from '../hub/hub-context.tsx';
import { useHubAction, useHubQuery, keys } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { Spinner } from '../parts/spinner.tsx';
import { Switch } from '../parts/switch.tsx';
import { counted } from '../parts/words.ts';
import { OfferView } from './offer-view.tsx';
import { RegistryAnswers } from './registry-answers.tsx';
import { RegistryResults } from './registry-results.tsx';
import field from '../parts/form/form.module.css';
import styles from './add.module.css';

interface RegistrySearchProps {
  /** What is searched for; in the address, so that “back” comes back here. */
  readonly words: string;
  readonly onSearch: (words: string) => void;
  readonly onPaste: () => void;
}

/** Public and own lists of servers, all at once or one of them. */
export function RegistrySearch({ words, onSearch, onPaste }: RegistrySearchProps): ReactNode {
  const [typed, setTyped] = useState(words);
  const [registry, setRegistry] = useState('');
  const [offline, setOffline] = useState(false);
  const [picked, setPicked] = useState<{ readonly text: string; readonly offer: PlanOffer }>();
  const registries = useHubQuery(keys.registries, (hub) => hub.registries.list());
  const query: RegistryQuery = {
    query: words,
    ...(registry === '' ? {} : { registries: [registry] }),
    ...(offline ? { offline } : {}),
  };
  const found = useHubQuery(['registry-search', query], (hub) => hub.registries.search(query), {
    enabled: words !== '',
  });
  const make = useHubAction(async (hub, text: string) => ({ text, offer: await hub.plans.make({ text }) }));
  const take = (text: string): void => make.mutate(text, { onSuccess: setPicked });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setPicked(undefined);
    if (typed.trim() === words) void found.refetch();
    else onSearch(typed.trim());
  };
  const search = (example: string): void => {
    setTyped(example);
    onSearch(example);
  };
  const names = (registries.data ?? []).filter(({ enabled }) => enabled).map(({ name }) => name);
  const { data, isFetching, error } = found;
  return (
    <div className={styles['stack']}>
      <form className={styles['searching']} role="search" onSubmit={submit}>
        <label className="only-heard" htmlFor="registry-words">
          Search for
        </label>
        <input
          id="registry-words"
          type="search"
          className={field['input']}
          placeholder="What should it do? For example: calendar"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
        />
        <Select
          label="Which registry"
          value={registry}
          choices={[
            { value: '', label: 'All registries' },
            ...names.map((name) => ({ value: name, label: name })),
          ]}
          onChange={setRegistry}
        />
        <Button type="submit" look="primary" icon="search" disabled={typed.trim() === ''}>
          Search
        </Button>
        <Switch label="Offline results only" shown checked={offline} onChange={setOffline} />
      </form>
      <p role="status" className={styles['waiting']}>
        {isFetching || make.isPending ? (
          <>
            <Spinner /> {make.isPending ? 'Looking at what it would run…' : 'Asking the registries…'}
          </>
        ) : (
          data && !picked && counted(data.results.length, 'server')
        )}
      </p>
      {words === '' && !picked && (
        <EmptyState
          title="Find a server by what it does"
          action={
            <div className={styles['chips']}>
              {EXAMPLES.map((example) => (
                <Button key={example} onClick={() => search(example)}>
                  {example}
                </Button>
              ))}
            </div>
          }
        >
          Registries list servers with their publisher, and how many people use them.
        </EmptyState>
      )}
      {error && !isFetching && <ErrorNote error={error} />}
      {make.error && !make.isPending && <ErrorNote error={make.error} />}
      {picked ? (
        <>
          <div>
            <Button look="quiet" onClick={() => setPicked(undefined)}>
              ← Back to the results
            </Button>
          </div>
          <OfferView
            key={picked.text}
            offer={picked.offer}
            text={picked.text}
            onTake={take}
            onAgain={() => take(picked.text)}
            onAnother={() => setPicked(undefined)}
          />
        </>
      ) : (
        data &&
        !isFetching && (
          <>
            <RegistryAnswers answers={data.registries} />
            <RegistryResults results={data.results} onAdd={take} busy={make.isPending} />
            {data.results.length === 0 && (
              <EmptyState
                title={emptyTitle(words, data.registries)}
                action={<Button onClick={onPaste}>Add by URL</Button>}
              >
                You can also add it with the server's URL, or with the config from its website.
              </EmptyState>
            )}
          </>
        )
      )}
    </div>
  );
}

const EXAMPLES = ['calendar', 'database', 'maps', 'email'];

/** A registry that was not asked may list it all the same. */
function emptyTitle(words: string, answers: PlanOffer['registries']): string {
  const isTold = answers.every(({ reason }) => reason === undefined);
  return isTold ? `No registry lists “${words}”` : `Nothing found for “${words}”`;
}
