import type { Principal } from '../hub/principal.ts';
import type { Person } from './people.ts';

/** The rows that all of a team share. */
export const TEAM_OWNER = 'team';

export function ownerOf({ id }: { readonly id: string }): string {
  return `person:${id}`;
}

/** Of the person whose rows these are. */
export function idOf(owner: string): string {
  return owner.slice(ownerOf({ id: '' }).length);
}

export function principalOf(
  { id, role }: Pick<Person, 'id' | 'role'>,
  space: 'own' | 'team' | 'other',
): Principal {
  return { id, role: 'owner', team: { role, space } };
}
