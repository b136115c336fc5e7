import { useState, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import styles from '../settings/settings.module.css';
import { useTeam, useTeamAction } from './ask-team.ts';
import { isAdmin, ROLES, type Me, type TeamPerson, type TeamRole } from './team-types.ts';

const CHOICES = ROLES.map((value) => ({ value, label: value }));

export function People({ me }: { readonly me: Me }): ReactNode {
  const { data, error } = useTeam<readonly TeamPerson[]>('/v1/team/people');
  const act = useTeamAction();
  const mayChange = (person: TeamPerson): boolean =>
    isAdmin(me) && person.id !== me.id && (person.role !== 'owner' || me.role === 'owner');
  const path = ({ id }: TeamPerson): string => `/v1/team/people/${id}`;
  return (
    <section aria-label="People">
      <h2>People</h2>
      {error && <ErrorNote error={error} />}
      {act.error && <ErrorNote error={act.error} />}
      <ul className={styles['rows']} aria-label="People">
        {data?.map((person) => (
          <li key={person.id} className={styles['row']}>
            <div className={styles['what']}>
              <strong>{person.name}</strong> {!person.active && <Chip>deactivated</Chip>}
              <p>{person.email}</p>
            </div>
            {mayChange(person) ? (
              <>
                <Select
                  label={`Role of ${person.name}`}
                  value={person.role}
                  choices={CHOICES}
                  onChange={(role) => act.mutate({ method: 'PUT', path: path(person), body: { role } })}
                />
                <Button
                  look="quiet"
                  aria-label={`Remove ${person.name}`}
                  onClick={() => act.mutate({ method: 'DELETE', path: path(person) })}
                >
                  Remove
                </Button>
              </>
            ) : (
              <Chip>{person.role}</Chip>
            )}
          </li>
        ))}
      </ul>
      {isAdmin(me) && <Invite />}
    </section>
  );
}

function Invite(): ReactNode {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<TeamRole>('member');
  const invite = useTeamAction<{ readonly url: string }>();
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate({ method: 'POST', path: '/v1/team/invitations', body: { email, role } });
      }}
    >
      <TextField
        label="Email"
        type="email"
        value={email}
        onChange={(text) => {
          setEmail(text);
          // The link above is for somebody else.
          invite.reset();
        }}
        required
      />
      <Select label="Role" value={role} choices={CHOICES} onChange={setRole} />
      <Button type="submit" busy={invite.isPending}>
        Invite
      </Button>
      {invite.error && <ErrorNote error={invite.error} />}
      {invite.data && (
        <p role="status">
          Send this link to {email}. It works once, within 48 hours: <code>{invite.data.url}</code>{' '}
          <CopyButton text={invite.data.url} />
        </p>
      )}
    </form>
  );
}
