import { z } from 'zod';
import { jsonObject } from './definition-schema.ts';
import type { ChatMessage } from '../hub/hub.ts';
import type { ChatOperations } from './chat-operations.ts';

interface ChatContract<Name extends keyof ChatOperations> {
  readonly summary: string;
  readonly input: z.ZodType<ChatOperations[Name]['input']>;
}

const nothing = z.strictObject({});
const name = z.string().min(1).max(64);
const byName = z.strictObject({ name });
const passphrase = z.string().min(1).max(1_024);
const price = z.number().nonnegative();
const provider = z.enum(['openai', 'anthropic', 'google', 'compatible']);
const url = z.string().max(2_048);
const key = z.string().min(1).max(8_192);

const ROLES = ['system', 'user', 'assistant', 'tool'] as const;

export const message = jsonObject.refine(
  (value): value is ChatMessage => ROLES.some((role) => role === value['role']),
  'A message has a role: system, user, assistant or tool.',
);

const restoring = z.strictObject({
  backup: jsonObject,
  passphrase: passphrase.exactOptional(),
  replace: z.boolean().exactOptional(),
});

/** What the operations take about models, chat, the doctor and backups. */
export const chatContract: { readonly [Name in keyof ChatOperations]: ChatContract<Name> } = {
  'models.list': { summary: 'The models that chat can use.', input: nothing },
  'models.save': {
    summary: 'Adds a model, or replaces the one of that name; its key goes into the vault.',
    input: z.strictObject({
      name,
      provider,
      model: z.string().min(1).max(256),
      url: url.exactOptional(),
      contextTokens: z.number().int().positive().exactOptional(),
      price: z.strictObject({ input: price, output: price }).exactOptional(),
      key: key.exactOptional(),
      isDefault: z.boolean().exactOptional(),
    }),
  },
  'models.remove': { summary: 'Forgets a model and its key.', input: byName },
  'models.setDefault': { summary: 'Chooses the model that is used when none is named.', input: byName },
  'models.offered': {
    summary: 'Asks a provider which models it has.',
    input: z.strictObject({
      provider,
      url: url.exactOptional(),
      key: key.exactOptional(),
      name: name.exactOptional(),
    }),
  },

  'chat.turn': {
    summary: 'Lets a model answer with the tools it may use; what happens on the way comes as progress.',
    input: z.strictObject({
      messages: z.array(message).min(1).max(10_000),
      model: name.exactOptional(),
      servers: z.array(z.string().min(1).max(64)).max(1_000).exactOptional(),
      profile: z.string().max(128).exactOptional(),
      mode: z.enum(['auto', 'all', 'servers', 'search', 'code']).exactOptional(),
      host: z.string().max(128).exactOptional(),
      approval: z.enum(['wait', 'refuse']).exactOptional(),
      instructions: z.string().max(100_000).exactOptional(),
    }),
  },
  'chat.suggest': {
    summary: 'Servers that would help with a request and are not there yet.',
    input: z.strictObject({
      text: z.string().min(1).max(20_000),
      limit: z.number().int().positive().max(20).exactOptional(),
    }),
  },

  'doctor.run': {
    summary: 'Looks for what is wrong, from cause to effect; rows come as progress.',
    input: z.strictObject({
      server: z.string().min(1).max(64).exactOptional(),
      live: z.boolean().exactOptional(),
    }),
  },
  'doctor.fix': {
    summary: 'Carries out fixes that a report has offered.',
    input: z.strictObject({ fixes: z.array(z.string().min(1).max(256)).max(1_000) }),
  },

  'backups.make': {
    summary: 'Everything in one document; secrets only under a passphrase.',
    input: z.strictObject({ passphrase: passphrase.exactOptional() }),
  },
  'backups.check': { summary: 'What a restore would do.', input: restoring },
  'backups.restore': { summary: 'Brings back what a backup holds.', input: restoring },
};
