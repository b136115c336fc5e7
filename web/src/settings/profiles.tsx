import { useState, type ReactNode } from 'react';
import type { Profile } from '../../../src/servers/profile.ts';
import { keys, useHubAction, useHubQuery } from '../hub/queries.ts';
import { Button } from '../parts/button.tsx';
import { Chip } from '../parts/chip.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorNote } from '../parts/error-note.tsx';
import { useToast } from '../parts/toasts.tsx';
import { ProfileForm } from './profile-form.tsx';
import styles from './settings.module.css';

/** Named subsets of servers and tools, for a conversation or an app. */
export function Profiles(): ReactNode {
  const toast = useToast();
  const { data, error } = useHubQuery(keys.profiles, (hub) => hub.profiles.list());
  const save = useHubAction((hub, profile: Profile) => hub.profiles.save(profile), [keys.profiles]);
  const remove = useHubAction((hub, name: string) => hub.profiles.remove({ name }), [keys.profiles]);
  const [edited, setEdited] = useState<Profile | 'new' | undefined>(undefined);
  if (error) return <ErrorNote error={error} />;
  const takeAway = (profile: Profile): void =>
    remove.mutate(profile.name, {
      onError: (failed) => toast.bad(failed),
      onSuccess: () =>
        toast.info(`${profile.name} is removed`, undefined, {
          label: 'Undo',
          onClick: () => save.mutate(profile, { onError: (failed) => toast.bad(failed) }),
        }),
    });
  return (
    <>
      <p className={styles['lead']}>
        A profile shows only some servers and tools. Choose one in a chat, or give an app{' '}
        <code>plug gateway --profile NAME</code>.
      </p>
      {data?.length === 0 && edited === undefined && (
        <EmptyState
          title="No profiles yet"
          action={<Button onClick={() => setEdited('new')}>Create a profile</Button>}
        />
      )}
      {data !== undefined && data.length > 0 && (
        <ul className={styles['rows']} aria-label="Profiles">
          {data.map((profile) => (
            <li key={profile.name} className={styles['row']}>
              <div className={styles['what']}>
                <strong>{profile.name}</strong> {profile.readOnly === true && <Chip>reads only</Chip>}
                <p>{wordsOf(profile)}</p>
              </div>
              <Button look="quiet" aria-label={`Edit ${profile.name}`} onClick={() => setEdited(profile)}>
                Edit
              </Button>
              <Button look="quiet" aria-label={`Remove ${profile.name}`} onClick={() => takeAway(profile)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      {edited === undefined && data !== undefined && data.length > 0 && (
        <div>
          <Button icon="plus" onClick={() => setEdited('new')}>
            Create a profile
          </Button>
        </div>
      )}
      {edited !== undefined && (
        <ProfileForm
          key={edited === 'new' ? '' : edited.name}
          profile={edited === 'new' ? undefined : edited}
          onSave={(profile) => save.mutateAsync(profile)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function wordsOf({ servers, tools }: Profile): string {
  return [
    servers === undefined ? 'All servers' : servers.join(', '),
    tools?.allow === undefined ? '' : `only ${tools.allow.join(', ')}`,
    tools?.deny === undefined ? '' : `without ${tools.deny.join(', ')}`,
  ]
    .filter((text) => text !== '')
    .join(' · ');
}
