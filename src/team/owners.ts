import type { Principal } from '../hub/principal.ts';
import type { Person } from './people.ts';

/** The rows that all of a team share. */
export const TEAM_OWNER = 'team';

export function ownerOf({ id }: { readonly id: string }): string {
  return `person:${id}`;
}

export function principalOf(
  { id, role }: Pick<Person, 'id' | 'role'>,
  space: 'own' | 'team' | 'other',
): Principal {
  return { id, role: 'owner', team: { role, space } };
}
