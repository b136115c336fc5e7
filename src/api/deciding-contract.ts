import { z } from 'zod';
import { jsonObject } from './definition-schema.ts';
import type { DecidingOperations } from './deciding-operations.ts';

interface DecidingContract<Name extends keyof DecidingOperations> {
  readonly summary: string;
  readonly input: z.ZodType<DecidingOperations[Name]['input']>;
}

const server = z.string().min(1).max(64);
const id = z.string().min(1).max(128);
const ref = z.string().min(1).max(512);
const effect = z.enum(['allow', 'ask', 'deny']);
const risk = z.enum(['read', 'write', 'destructive', 'unknown']);
const moment = z.number().int().nonnegative();
const count = z.coerce.number().int().nonnegative();
const pattern = z.record(z.string().min(1).max(512), z.string().max(4_096));
const outcome = z.enum(['ok', 'tool_error', 'failed', 'timed_out', 'cancelled', 'refused']);
const nothing = z.strictObject({});
const one = z.strictObject({ id });

const answer = {
  effect: z.enum(['allow', 'deny']),
  remember: z.enum(['session', 'tool', 'reads', 'arguments']).exactOptional(),
  pattern: pattern.exactOptional(),
  note: z.string().max(2_000).exactOptional(),
};

/** What the operations take that decide what may run and tell what did. */
export const decidingContract: {
  readonly [Name in keyof DecidingOperations]: DecidingContract<Name>;
} = {
  'tools.learnedOutputs': {
    summary: 'What results of tools looked like that declare no output.',
    input: z.strictObject({ server: server.exactOptional() }),
  },
  'tools.audit': {
    summary: 'Everything that is known about every tool, offered or not; failed servers first.',
    input: z.strictObject({ server: server.exactOptional() }),
  },
  'tools.render': {
    summary: 'The tools in the shape of a model provider.',
    input: z.strictObject({
      format: z.enum(['openai', 'anthropic', 'gemini', 'ai-sdk', 'mcp']),
      names: z.enum(['mcp__server__tool', 'mcp:server:tool', 'server.tool', 'server__tool']).exactOptional(),
      server: server.exactOptional(),
      profile: z.string().max(128).exactOptional(),
      search: z.string().max(400).exactOptional(),
      offers: z.stringbool().exactOptional(),
    }),
  },
  'tools.setEnabled': {
    summary: 'Switches a single tool on or off.',
    input: z.strictObject({ ref, enabled: z.boolean() }),
  },
  'tools.setRisk': {
    summary: 'Says what a tool may do; without a risk the override is taken back.',
    input: z.strictObject({ ref, risk: risk.exactOptional() }),
  },
  'tools.approve': {
    summary: 'Pins the definition of a tool as it is now.',
    input: z.strictObject({ ref, hash: z.string().max(128).exactOptional() }),
  },

  'policy.explain': {
    summary: 'What would happen to a call and why, without making it.',
    input: z.strictObject({ tool: ref, args: jsonObject.exactOptional() }),
  },
  'policy.defaults': { summary: 'What happens where nothing else decides.', input: nothing },
  'policy.setDefaults': {
    summary: 'Changes what happens where nothing else decides; holds at once.',
    input: z.strictObject({
      connect: effect.exactOptional(),
      list: effect.exactOptional(),
      call: z
        .strictObject({
          read: effect.exactOptional(),
          write: effect.exactOptional(),
          destructive: effect.exactOptional(),
          unknown: effect.exactOptional(),
        })
        .exactOptional(),
    }),
  },
  'policy.rules': { summary: 'The rules in force, and what is wrong with their file.', input: nothing },

  'grants.list': {
    summary: 'What may run without asking.',
    input: z.strictObject({ server: server.exactOptional() }),
  },
  'grants.add': {
    summary: 'Lets a tool, or all reads of a server, run without asking.',
    input: z.strictObject({
      tool: ref,
      args: pattern.exactOptional(),
      until: moment.exactOptional(),
      session: z.boolean().exactOptional(),
      once: z.boolean().exactOptional(),
      argsHash: z.string().min(1).max(128).exactOptional(),
    }),
  },
  'grants.revoke': { summary: 'Takes a grant back.', input: one },

  'approvals.list': { summary: 'The calls that wait for a person, oldest first.', input: nothing },
  'approvals.get': { summary: 'One call that waits.', input: one },
  'approvals.answer': {
    summary: 'Answers a call that waits; the first answer wins.',
    input: z.strictObject({
      id,
      ...answer,
      argsHash: z.string().min(1).max(128),
      args: jsonObject.exactOptional(),
    }),
  },
  'approvals.answerBatch': {
    summary: 'The same answer for all that wait in a batch.',
    input: z.strictObject({ batch: id, ...answer, ids: z.array(id).min(1).max(1_000).exactOptional() }),
  },

  'audit.query': {
    summary: 'The calls that were asked for, newest first.',
    input: z.strictObject({
      server: server.exactOptional(),
      tool: ref.exactOptional(),
      outcome: outcome.exactOptional(),
      since: count.exactOptional(),
      until: count.exactOptional(),
      cursor: z.string().max(512).exactOptional(),
      limit: count.exactOptional(),
    }),
  },
  'audit.setRecorded': {
    summary: 'Switches the recording of calls on or off for a server.',
    input: z.strictObject({ server, recorded: z.boolean() }),
  },

  'results.list': { summary: 'Large results that are kept, newest first.', input: nothing },
  'results.page': {
    summary: 'One page of a kept result, from 1.',
    input: z.strictObject({ id, page: count }),
  },
  'results.grep': {
    summary: 'The lines of a kept result that match a regular expression (RE2).',
    input: z.strictObject({ id, pattern: z.string().min(1).max(4_096) }),
  },
  'results.path': {
    summary: 'What a JSONPath (RFC 9535) finds in a kept result.',
    input: z.strictObject({ id, path: z.string().min(1).max(4_096) }),
  },
  'results.remove': { summary: 'Deletes a kept result.', input: one },
};
