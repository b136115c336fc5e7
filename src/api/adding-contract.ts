import { z } from 'zod';
import type { OperationInput, OperationName } from './operations.ts';
import type { PageOperations } from './page-operations.ts';

type Adding = Exclude<
  Extract<OperationName, `${'imports' | 'registries' | 'plans'}.${string}`>,
  keyof PageOperations
>;

interface AddingContract<Name extends Adding> {
  readonly summary: string;
  readonly input: z.ZodType<OperationInput<Name>>;
}

const id = z.string().min(1).max(64);
const plan = z.string().min(1).max(128);
const names = z.array(z.string().min(1).max(64)).max(100);
const texts = z.record(z.string().max(512), z.string().max(65_536));
const fieldValue = z.union([
  z.string().max(65_536),
  z.number(),
  z.boolean(),
  z.array(z.string().max(65_536)).max(100),
]);
const find = z.strictObject({
  ref: z.string().min(1).max(512),
  fingerprint: z.string().max(128).exactOptional(),
});

export const installRequest: z.ZodType<OperationInput<'plans.install'>> = z.strictObject({
  plan,
  id: id.exactOptional(),
  values: z.record(z.string().max(512), fieldValue).exactOptional(),
  env: texts.exactOptional(),
  headers: texts.exactOptional(),
  test: z.boolean().exactOptional(),
  replace: z.boolean().exactOptional(),
});

/** What the operations take that bring servers here: import, registries and plans. */
export const addingContract: { readonly [Name in Adding]: AddingContract<Name> } = {
  'imports.scan': {
    summary: 'What other clients on this machine know, and what an import would make of it.',
    input: z.strictObject({ clients: names.exactOptional() }),
  },
  'imports.run': {
    summary: 'Imports servers of other clients; readable keys go into the vault.',
    input: z.strictObject({
      clients: names.exactOptional(),
      pick: z.union([z.literal('all'), z.array(find).max(1_000)]),
      follow: z.boolean().exactOptional(),
    }),
  },
  'registries.search': {
    summary: 'Searches all registries at once; one that fails is named.',
    input: z.strictObject({
      query: z.string().max(400),
      registries: names.exactOptional(),
      offline: z.boolean().exactOptional(),
      limit: z.number().int().positive().exactOptional(),
    }),
  },
  'registries.sync': {
    summary: 'Copies registries into the local index.',
    input: z.strictObject({ registries: names.exactOptional() }),
  },
  'plans.make': {
    summary: 'Reads whatever was pasted and says what would be installed, run or contacted.',
    input: z.strictObject({
      text: z.string().max(2 * 1024 * 1024),
      origin: z.enum(['paste', 'file']).exactOptional(),
      remoteOnly: z.boolean().exactOptional(),
      offline: z.boolean().exactOptional(),
    }),
  },
  'plans.unpack': {
    summary: 'Downloads a bundle, checks its sum and answers with the plan of what it runs.',
    input: z.strictObject({ plan }),
  },
  'plans.install': {
    summary: 'Carries out a plan that was shown.',
    input: installRequest,
  },
};
