import { defineServer } from '../../servers/definition.ts';
import { textIn } from '../requests.ts';
import { ownerOf, principalOf, TEAM_OWNER } from '../owners.ts';
import { ADMINS, CALLERS, type Asked, type TeamOperation } from './operation.ts';

/** A member proposes a server of theirs for all; an admin decides. */
export const promotionOperations: Readonly<Record<string, TeamOperation>> = {
  'GET /v1/team/promotions': { roles: CALLERS, run: list },
  'POST /v1/team/promotions': { roles: CALLERS, run: propose },
  'POST /v1/team/promotions/:id/approve': { roles: ADMINS, run: approve },
  'DELETE /v1/team/promotions/:id': { roles: ADMINS, run: reject },
};

async function list({ team, person }: Asked): Promise<unknown> {
  const isAdmin = ADMINS.includes(person.role);
  const all = await team.promotions.list(isAdmin ? undefined : person);
  return await Promise.all(
    all.map(async (promotion) => {
      const by = await team.people.find(promotion.person);
      return { ...promotion, by: by ? { name: by.name, email: by.email } : undefined };
    }),
  );
}

/** As it is kept: what a person sends along is not believed. */
async function propose({ team, person, input }: Asked): Promise<unknown> {
  const id = textIn(input, 'server');
  const { view, letGo } = await team.spaces.use(ownerOf(person), principalOf(person, 'own'));
  try {
    return await team.promotions.add(person, await view.hub.servers.definition({ id }));
  } finally {
    letGo();
  }
}

/** Accounts and keys stay with the person: everybody signs in to it as themselves. */
async function approve({ team, person, id }: Asked): Promise<unknown> {
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
}

async function reject({ team, id }: Asked): Promise<void> {
  await team.promotions.take(id);
}
