import { ownerOf } from './owners.ts';
import type { Team } from './team.ts';

type Parts = Pick<Team, 'people' | 'spaces' | 'destroyVault'>;

/** What they have under way ends, here at once and on the other replicas when they hear of it. */
export async function deactivate({ people, spaces }: Parts, id: string): Promise<void> {
  await people.setActive(id, false);
  await spaces.endPerson(id);
}

/** What they kept secret is destroyed, too; the record of their calls stays. */
export async function removePerson({ people, spaces, destroyVault }: Parts, id: string): Promise<void> {
  await people.remove(id);
  await spaces.endPerson(id);
  await destroyVault(ownerOf({ id }));
}
