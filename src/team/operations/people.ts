import { TEAM_ROLES, type TeamRole } from '../../hub/principal.ts';
import type { Zod } from '../../hub/operations/operation.ts';
import { deactivate, removePerson } from '../leaving.ts';
import type { Person } from '../people.ts';
import { ADMINS, ALL, id, notYours, one, OVERSEERS, shortText, teamOperation } from './operation.ts';

const role = (z: Zod) => z.enum(TEAM_ROLES);

/** Who is in the team. */
export const peopleOperations = {
  'GET /v1/team/me': teamOperation(ALL, 'Who you are in the team.', {
    run: async ({ team, person }) => ({
      ...person,
      groups: await team.groups.namesOf(person.id),
      url: team.url,
    }),
  }),
  'GET /v1/team/people': teamOperation(OVERSEERS, 'All people of the team.', {
    run: ({ team }) => team.people.list(),
  }),
  /** The address of the link is the admin's to send: whoever has it proves the address of the invited. */
  'POST /v1/team/invitations': teamOperation(ADMINS, 'Makes a link to join the team.', {
    input: (z) => z.strictObject({ email: shortText(z).regex(/^[^\s@]+@[^\s@]+$/), role: role(z) }),
    run: async ({ team, person, input }) => {
      onlyOwners(person, input.role);
      return { url: `${team.url}/join/${await team.people.invite(input.email, input.role)}` };
    },
  }),
  'PUT /v1/team/people/:id': teamOperation(ADMINS, 'Changes a role, or whether they may come in at all.', {
    input: (z) =>
      z.union([
        z.strictObject({ id: id(z), role: role(z) }),
        z.strictObject({ id: id(z), active: z.boolean() }),
      ]),
    run: async ({ team, person, input }) => {
      const before = await team.people.find(input.id);
      if ('role' in input) {
        onlyOwners(person, input.role, before?.role);
        return await team.people.setRole(input.id, input.role);
      }
      onlyOwners(person, before?.role);
      if (input.active) await team.people.setActive(input.id, true);
      else await deactivate(team, input.id);
      return await team.people.find(input.id);
    },
  }),
  /** For somebody who has forgotten theirs; like an invitation it is the admin's to send. */
  'POST /v1/team/people/:id/password-link': teamOperation(ADMINS, 'Makes a link to a new password.', {
    input: one,
    run: async ({ team, person, input }) => {
      onlyOwners(person, (await team.people.find(input.id))?.role);
      return { url: `${team.url}/reset/${await team.people.passwordLink(input.id)}` };
    },
  }),
  'DELETE /v1/team/people/:id': teamOperation(ADMINS, 'Removes a person, with all that is theirs.', {
    input: one,
    run: async ({ team, person, input }) => {
      onlyOwners(person, (await team.people.find(input.id))?.role);
      await removePerson(team, input.id);
    },
  }),
};

/** Admins make no owners, and none of them less. */
function onlyOwners(person: Person, ...roles: readonly (TeamRole | undefined)[]): void {
  if (roles.includes('owner') && person.role !== 'owner') throw notYours();
}
