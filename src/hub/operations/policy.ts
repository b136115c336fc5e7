import type { Approval, ApprovalOutcome } from '../../policy/approval.ts';
import type { Decision, PolicyDefaults } from '../../policy/decision.ts';
import type { GrantView, RulesView } from '../decisions.ts';
import { flag, jsonObject, madeId, ofServer, one, toolRef } from './fields.ts';
import { member, owner, type, type Zod } from './operation.ts';

const effect = (z: Zod) => z.enum(['allow', 'ask', 'deny']);

export const policy = {
  explain: member('POST /v1/policy/explain', 'What would happen to a call and why, without making it.', {
    input: (z) => ({ tool: toolRef(z), args: jsonObject(z).exactOptional() }),
    output: type<Decision>(),
  }),
  defaults: member('GET /v1/policy/defaults', 'The default when no rule, grant or trust applies.', {
    output: type<PolicyDefaults>(),
  }),
  /** For every face; kept in the rules file. */
  setDefaults: owner('PUT /v1/policy/defaults', 'Changes a default. It applies immediately.', {
    input: (z) => ({
      connect: effect(z).exactOptional(),
      list: effect(z).exactOptional(),
      call: z
        .strictObject({
          read: effect(z).exactOptional(),
          write: effect(z).exactOptional(),
          destructive: effect(z).exactOptional(),
          unknown: effect(z).exactOptional(),
        })
        .exactOptional(),
    }),
    output: type<PolicyDefaults>(),
  }),
  rules: member('GET /v1/policy/rules', 'The rules in force, and what is wrong with their file.', {
    output: type<RulesView>(),
  }),
};

/** Dotted path → glob. */
const pattern = (z: Zod) => z.record(z.string().min(1).max(512), z.string().max(4_096));
const hash = (z: Zod) => z.string().min(1).max(128);

export const grants = {
  list: member('GET /v1/grants', 'What may run without asking.', {
    input: ofServer,
    output: type<readonly GrantView[]>(),
  }),
  add: owner('POST /v1/grants', 'Lets a tool, or all reads of a server, run without asking.', {
    input: (z) => ({
      /** `server/tool`; `server` alone means all its reads. */
      tool: toolRef(z),
      args: pattern(z).exactOptional(),
      until: z.number().int().nonnegative().exactOptional(),
      session: flag(z),
      once: flag(z),
      /** With `once`: only for exactly these arguments. */
      argsHash: hash(z).exactOptional(),
      /** The name of an account; else the one that is the default now. */
      account: z.string().min(1).max(64).exactOptional(),
    }),
    output: type<GrantView>(),
  }),
  revoke: owner('DELETE /v1/grants/:id', 'Takes a grant back.', { input: one }),
};

const answer = (z: Zod) => ({
  effect: z.enum(['allow', 'deny']),
  remember: z.enum(['session', 'tool', 'reads', 'arguments']).exactOptional(),
  pattern: pattern(z).exactOptional(),
  note: z.string().max(2_000).exactOptional(),
});

export const approvals = {
  list: member('GET /v1/approvals', 'The calls that wait for a person, oldest first.', {
    output: type<readonly Approval[]>(),
  }),
  get: member('GET /v1/approvals/:id', 'One call that waits.', { input: one, output: type<Approval>() }),
  /** A later answer is told who was faster. */
  answer: member('POST /v1/approvals/:id/answer', 'Answers a call that waits; the first answer wins.', {
    input: (z) => ({ id: madeId(z), ...answer(z), argsHash: hash(z), args: jsonObject(z).exactOptional() }),
    output: type<ApprovalOutcome>(),
  }),
  answerBatch: member(
    'POST /v1/approval-batches/:batch/answer',
    'The same answer for all that wait in a batch.',
    {
      input: (z) => ({
        batch: madeId(z),
        ...answer(z),
        /** Those that the person saw: whatever has joined since is left out. Absent: all. */
        ids: z.array(madeId(z)).min(1).max(1_000).exactOptional(),
      }),
      output: type<readonly ApprovalOutcome[]>(),
    },
  ),
};
