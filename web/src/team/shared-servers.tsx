import { useState, type ReactNode } from 'react';
import { useServers } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import { isAdmin, type Me, type TeamPromotion } from './team-types.ts';

/** Servers that wait to be shared; those that are shared are in everybody's list. */
export function SharedServers({ me }: { readonly me: Me }): ReactNode {
  const { data, error } = useTeam<readonly TeamPromotion[]>('/v1/team/promotions');
  const act = useTeamAction();
  return (
    <section aria-label="Shared servers">
      <h2>Shared servers</h2>
      <p className={styles['lead']}>
        A shared server is in everybody’s list. Everyone signs in to it with their own account.
      </p>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      {data?.length === 0 && <EmptyState title="Nothing waits to be shared" />}
      <ul className={styles['rows']} aria-label="Waiting to be shared">
        {data?.map(({ id, server, by, definition }) => (
          <li key={id} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{server}</strong>
              <p>
                {definition.endpoint.url} · proposed by {by?.name ?? 'a former member'}
              </p>
            </div>
            {isAdmin(me) && (
              <>
                <Button
                  look="primary"
                  aria-label={`Share ${server}`}
                  onClick={() => act.mutate({ method: 'POST', path: `/v1/team/promotions/${id}/approve` })}
                >
                  Share
                </Button>
                <Button
                  look="quiet"
                  aria-label={`Decline ${server}`}
                  onClick={() => act.mutate({ method: 'DELETE', path: `/v1/team/promotions/${id}` })}
                >
                  Decline
                </Button>
              </>
            )}
          </li>
        ))}
      </ul>
      <Propose />
    </section>
  );
}

function Propose(): ReactNode {
  const { data } = useServers();
  const propose = useTeamAction();
  const [chosen, setChosen] = useState('');
  const choices = (data?.servers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const server = choices.some(({ value }) => value === chosen) ? chosen : choices[0]?.value;
  if (server === undefined) return null;
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        propose.mutate({ method: 'POST', path: '/v1/team/promotions', body: { server } });
      }}
    >
      <Select label="Server to share" value={server} choices={choices} onChange={setChosen} />
      <Button type="submit" busy={propose.isPending}>
        Propose to the team
      </Button>
      {propose.error && <ErrorNote error={propose.error} />}
    </form>
  );
}
