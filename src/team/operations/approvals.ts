import { CALLERS, id, shortText, teamOperation } from './operation.ts';

const NOTE_CHARS_MAX = 2_000;

/** Calls of others that wait for somebody of the team, such as an admin. */
export const approvalOperations = {
  'GET /v1/team/approvals': teamOperation(CALLERS, 'Calls of others that wait for your answer.', {
    run: async ({ team, person }) => {
      const waiting = await team.approvals.list(person);
      return await Promise.all(
        waiting.map(async ({ approval, person: asker }) => {
          const by = await team.people.find(asker);
          return { approval, by: by ? { name: by.name, email: by.email } : undefined };
        }),
      );
    },
  }),
  'PUT /v1/team/approvals/:id': teamOperation(CALLERS, 'Answers one of them.', {
    input: (z) =>
      z.strictObject({
        id: id(z),
        effect: z.enum(['allow', 'deny']),
        /** Of the arguments that were shown. */
        argsHash: shortText(z),
        note: z.string().min(1).max(NOTE_CHARS_MAX).exactOptional(),
      }),
    run: async ({ team, person, input }) => ({
      outcome: await team.approvals.answer(person, input, team.spaces),
    }),
  }),
};
