import { z } from 'zod';
import type { Pin } from '../../catalog/pin.ts';
import type { ToolOverride } from '../../catalog/store.ts';
import type { Grant } from '../../policy/grant.ts';
import type { ServerTrust } from '../../policy/store.ts';
import { definitionFields, profileFields } from '../../servers/definition-schema.ts';
import { isServerId, type ServerDefinition } from '../../servers/definition.ts';
import type { Profile } from '../../servers/profile.ts';
import type { FileTrust, ServerOverride } from '../../servers/store.ts';
import type { StoredModel } from '../../vault/models.ts';
import type { Account } from '../../vault/store.ts';
import type { CarriedFile, SealedContents } from './contents.ts';
import { backupLimits as limits } from './limits.ts';

/** What one row of each kind looks like. Everything is bounded: a backup may come from anywhere. */

const text = z.string().max(limits.textCharsMax);
const name = z.string().min(1).max(limits.nameCharsMax);
const time = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const texts = z.record(name, text);
const risk = z.enum(['read', 'write', 'destructive', 'unknown']);
const serverId = z.string().refine(isServerId, "cannot be a server's name");

const anyServer = z.strictObject({ ...definitionFields(z), id: serverId });

/** A server of the database: no file defines it. */
export const server: z.ZodType<ServerDefinition> = anyServer.refine(
  ({ source: { kind } }) => kind !== 'file',
  'comes from a file',
);

export const override: z.ZodType<ServerOverride> = z.strictObject({
  server: serverId,
  enabled: z.boolean().exactOptional(),
  readOnly: z.boolean().exactOptional(),
  recorded: z.boolean().exactOptional(),
  apps: z.boolean().exactOptional(),
});

export const profile: z.ZodType<Profile> = z.strictObject({ ...profileFields(z), name: serverId });

export const fileTrust: z.ZodType<FileTrust> = z.strictObject({
  file: name,
  server: name,
  fingerprint: hash,
  trustedAt: time,
  definition: anyServer.exactOptional(),
});

export const serverTrust: z.ZodType<ServerTrust> = z.strictObject({
  server: name,
  fingerprint: hash,
  trustedAt: time,
  source: name,
});

const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tool'), tool: name, hash }),
  z.strictObject({ kind: z.literal('reads') }),
  z.strictObject({ kind: z.literal('arguments'), tool: name, hash, pattern: texts }),
]);

export const grant: z.ZodType<Grant> = z.strictObject({
  id: name,
  principal: name,
  server: name,
  fingerprint: hash,
  account: name.exactOptional(),
  scope,
  until: time.exactOptional(),
  session: z.literal(false),
  source: name,
  createdAt: time,
});

export const pin: z.ZodType<Pin> = z.strictObject({
  server: name,
  tool: name,
  hash,
  definition: z.string().max(limits.documentBytesMax),
  pinnedAt: time,
});

export const tool: z.ZodType<ToolOverride> = z.strictObject({
  server: name,
  tool: name,
  enabled: z.boolean().exactOptional(),
  risk: risk.exactOptional(),
});

const price = z.number().nonnegative();

export const model: z.ZodType<StoredModel> = z.strictObject({
  name: z.string().min(1).max(64),
  provider: z.enum(['openai', 'anthropic', 'google', 'compatible']),
  model: z.string().min(1).max(256),
  url: z.string().max(2_048).exactOptional(),
  contextTokens: z.number().int().positive().exactOptional(),
  price: z.strictObject({ input: price, output: price }).exactOptional(),
  createdAt: time,
  chosen: z.number().exactOptional(),
});

export const account: z.ZodType<Account> = z.strictObject({
  server: serverId,
  account: z.string().min(1).max(64),
  displayName: text.exactOptional(),
  createdAt: time,
  isDefault: z.boolean(),
});

export const file: z.ZodType<CarriedFile> = z.strictObject({
  name: z.enum(['mcp.json', 'rules.json', 'rules.jsonc', 'registries.json']),
  text: z.string().max(limits.fileCharsMax),
});

export const secret: z.ZodType<SealedContents['secrets'][number]> = z.strictObject({
  name,
  value: z.string().min(1).max(limits.documentBytesMax),
});
