import { defineServer } from '../../servers/definition.ts';
import { ownerOf, principalOf, TEAM_OWNER } from '../owners.ts';
import { ADMINS, CALLERS, one, shortText, teamOperation } from './operation.ts';

/** A member proposes a server of theirs for all; an admin decides. */
export const promotionOperations = {
  'GET /v1/team/promotions': teamOperation(CALLERS, 'Servers that wait for an admin’s word.', {
    run: async ({ team, person }) => {
      const isAdmin = ADMINS.includes(person.role);
      const all = await team.promotions.list(isAdmin ? undefined : person);
      return await Promise.all(
        all.map(async (promotion) => {
          const by = await team.people.find(promotion.person);
          return { ...promotion, by: by ? { name: by.name, email: by.email } : undefined };
        }),
      );
    },
  }),
  /** As it is kept: what a person sends along is not believed. */
  'POST /v1/team/promotions': teamOperation(CALLERS, 'Proposes a server of yours for the team.', {
    input: (z) => z.strictObject({ server: shortText(z) }),
    run: async ({ team, person, input: { server: id } }) => {
      const { view, letGo } = await team.spaces.use(ownerOf(person), principalOf(person, 'own'));
      try {
        return await team.promotions.add(person, await view.hub.servers.definition({ id }));
      } finally {
        letGo();
      }
    },
  }),
  /** Accounts and keys stay with the person: everybody signs in to it as themselves. */
  'POST /v1/team/promotions/:id/approve': teamOperation(ADMINS, 'Adds the server for the team.', {
    input: one,
    run: async ({ team, person, input: { id } }) => {
      const promotion = await team.promotions.take(id);
      const { view, letGo } = await team.spaces.use(TEAM_OWNER, principalOf(person, 'team'));
      try {
        const definition = defineServer(promotion.definition);
        const { server } = await view.hub.servers.add({ definition, test: false });
        await team.changedShared();
        return { server: server.id };
      } catch (error) {
        await team.promotions.putBack(promotion);
        throw error;
      } finally {
        letGo();
      }
    },
  }),
  'DELETE /v1/team/promotions/:id': teamOperation(ADMINS, 'Takes a proposal off the list.', {
    input: one,
    run: async ({ team, input: { id } }) => void (await team.promotions.take(id)),
  }),
};
