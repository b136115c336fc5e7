import { quotasSchema } from '../quotas.ts';
import { rulesSchema } from '../team-rules.ts';
import { ADMINS, OVERSEERS, teamOperation } from './operation.ts';

/** How many calls the people of a team may make, and by which rules. */
export const policyOperations = {
  'GET /v1/team/quotas': teamOperation(OVERSEERS, 'How many calls may be made.', {
    run: ({ team }) => team.quotas.all(),
  }),
  'PUT /v1/team/quotas': teamOperation(ADMINS, 'Replaces all quotas.', {
    input: (z) => z.strictObject({ quotas: quotasSchema(z) }),
    run: async ({ team, input: { quotas } }) => {
      const set = await team.quotas.replace(quotas);
      await team.changedShared();
      return set;
    },
  }),
  'GET /v1/team/rules': teamOperation(OVERSEERS, 'The rules, by the groups that they are for.', {
    run: ({ team }) => team.teamRules.all(),
  }),
  'GET /v1/team/rule-list': teamOperation(OVERSEERS, 'The rules in plain words, beside their texts.', {
    run: ({ team }) => team.teamRules.shown(),
  }),
  'PUT /v1/team/rules': teamOperation(ADMINS, 'Replaces all rules.', {
    input: (z) => z.strictObject({ rules: rulesSchema(z) }),
    run: async ({ team, input: { rules } }) => {
      const set = await team.teamRules.replace(rules);
      await team.changedShared();
      return set;
    },
  }),
};
