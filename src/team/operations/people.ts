import type { TeamRole } from '../../hub/principal.ts';
import { isTeamRole, type Person } from '../people.ts';
import { badField, textIn, type Input } from '../requests.ts';
import { deactivate, removePerson } from '../leaving.ts';
import { ADMINS, ALL, notYours, OVERSEERS, type Asked, type TeamOperation } from './operation.ts';

/** Who is in the team. */
export const peopleOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/me': { roles: ALL, run: me },
  'GET /v1/team/people': { roles: OVERSEERS, run: ({ team }) => team.people.list() },
  'POST /v1/team/invitations': { roles: ADMINS, run: invite },
  'PUT /v1/team/people/:id': { roles: ADMINS, run: change },
  'POST /v1/team/people/:id/password-link': { roles: ADMINS, run: linkPassword },
  'DELETE /v1/team/people/:id': { roles: ADMINS, run: remove },
};

async function me({ team, person }: Asked): Promise<unknown> {
  return { ...person, groups: await team.groups.namesOf(person.id), url: team.url };
}

/** The address of the link is the admin's to send: whoever has it proves the address of the invited. */
async function invite({ team, person, input }: Asked): Promise<unknown> {
  const email = textIn(input, 'email');
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw badField('email');
  const role = roleIn(input);
  onlyOwners(person, role);
  return { url: `${team.url}/join/${await team.people.invite(email, role)}` };
}

/** Their role, or whether they may come in at all. */
async function change({ team, person, input, id }: Asked): Promise<unknown> {
  const { active } = input;
  if (typeof active === 'boolean') {
    onlyOwners(person, (await team.people.find(id))?.role);
    if (active) await team.people.setActive(id, true);
    else await deactivate(team, id);
    return await team.people.find(id);
  }
  const role = roleIn(input);
  onlyOwners(person, role, (await team.people.find(id))?.role);
  return await team.people.setRole(id, role);
}

/** For somebody who has forgotten theirs; like an invitation it is the admin's to send. */
async function linkPassword({ team, person, id }: Asked): Promise<unknown> {
  onlyOwners(person, (await team.people.find(id))?.role);
  return { url: `${team.url}/reset/${await team.people.passwordLink(id)}` };
}

async function remove({ team, person, id }: Asked): Promise<void> {
  onlyOwners(person, (await team.people.find(id))?.role);
  await removePerson(team, id);
}

/** Admins make no owners, and none of them less. */
function onlyOwners(person: Person, ...roles: readonly (TeamRole | undefined)[]): void {
  if (roles.includes('owner') && person.role !== 'owner') throw notYours();
}

function roleIn(input: Input): TeamRole {
  const role = input['role'];
  if (isTeamRole(role)) return role;
  throw badField('role');
}
