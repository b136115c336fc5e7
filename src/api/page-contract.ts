import { z } from 'zod';
import { limits } from '../base/limits.ts';
import { installRequest } from './adding-contract.ts';
import { message } from './chat-contract.ts';
import type { PageOperations } from './page-operations.ts';

interface PageContract<Name extends keyof PageOperations> {
  readonly summary: string;
  readonly input: z.ZodType<PageOperations[Name]['input']>;
}

const nothing = z.strictObject({});
const id = z.string().min(1).max(64);
const name = z.string().min(1).max(64);
const count = z.coerce.number().int().nonnegative();
const days = z.number().int().min(1).max(3_650);

/** What the operations take that the page brought along. */
export const pageContract: { readonly [Name in keyof PageOperations]: PageContract<Name> } = {
  'page.link': { summary: 'A link that opens the page, once.', input: nothing },

  'servers.setApps': {
    summary: 'Shows the pages that a server brings along, or not.',
    input: z.strictObject({ id, shown: z.boolean() }),
  },
  'servers.credentials': {
    summary: 'What is stored for a server and would be forgotten with it, by name.',
    input: z.strictObject({ id }),
  },
  'servers.icon': { summary: 'The picture that a server declares.', input: z.strictObject({ id }) },

  'registries.list': { summary: 'The registries that are searched.', input: nothing },
  'registries.save': {
    summary: 'Adds a registry, or switches one on or off.',
    input: z.strictObject({
      name,
      url: z.string().max(2_048).exactOptional(),
      enabled: z.boolean().exactOptional(),
    }),
  },
  'registries.remove': { summary: 'Forgets a registry that was added.', input: z.strictObject({ name }) },

  'plans.recognise': {
    summary: 'What a text is, as far as reading it tells.',
    input: z.strictObject({ text: z.string().max(2 * 1024 * 1024) }),
  },
  'plans.readImage': {
    summary: 'The text on a picture of a configuration (PNG or JPEG, in base64).',
    input: z.strictObject({
      image: z
        .string()
        .min(1)
        .max(
          limits.apiImageBytesMax,
          'the picture is too large; cut it down to the part that shows the config',
        ),
    }),
  },
  'plans.try': { summary: 'Connects as an installation would, and saves nothing.', input: installRequest },

  'audit.summary': {
    summary: 'Calls in equal spans of time, for charts.',
    input: z.strictObject({
      since: count,
      until: count,
      parts: z.coerce.number().int().min(1).max(500),
      server: id.exactOptional(),
    }),
  },

  'configuring.turn': {
    summary: 'Sets up servers in a conversation: proposes, and writes nothing.',
    input: z.strictObject({
      messages: z.array(message).min(1).max(10_000),
      model: name.exactOptional(),
    }),
  },

  'settings.get': { summary: 'What is set for all faces.', input: nothing },
  'settings.change': {
    summary: 'Changes a setting; holds at once.',
    input: z.strictObject({
      retention: z
        .strictObject({ callDays: days.exactOptional(), resultDays: days.exactOptional() })
        .exactOptional(),
    }),
  },
};
