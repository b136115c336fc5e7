import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import { isAdmin, type Me, type TeamGroup, type TeamPerson } from './team-types.ts';

export function Groups({ me }: { readonly me: Me }): ReactNode {
  const { data: groups, error } = useTeam<readonly TeamGroup[]>('/v1/team/groups');
  const { data: people } = useTeam<readonly TeamPerson[]>('/v1/team/people');
  const act = useTeamAction();
  const [name, setName] = useState('');
  const set = ({ id }: TeamGroup, members: readonly string[]): void =>
    act.mutate({ method: 'PUT', path: `/v1/team/groups/${id}`, body: { members } });
  return (
    <section aria-label="Groups">
      <h2>Groups</h2>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      <ul className={styles['rows']} aria-label="Groups">
        {groups?.map((group) => (
          <li key={group.id} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{group.name}</strong>
              {people?.map(({ id, name: person }) => (
                <label key={id}>
                  <input
                    type="checkbox"
                    checked={group.members.includes(id)}
                    disabled={!isAdmin(me) || act.isPending}
                    onChange={({ target }) =>
                      set(
                        group,
                        target.checked ? [...group.members, id] : group.members.filter((one) => one !== id),
                      )
                    }
                  />{' '}
                  {person}
                </label>
              ))}
            </div>
          </li>
        ))}
      </ul>
      {isAdmin(me) && (
        <form
          className={styles['form']}
          onSubmit={(event) => {
            event.preventDefault();
            act.mutate({ method: 'POST', path: '/v1/team/groups', body: { name } });
            setName('');
          }}
        >
          <TextField label="New group" value={name} onChange={setName} required />
          <Button type="submit">Add group</Button>
        </form>
      )}
    </section>
  );
}
