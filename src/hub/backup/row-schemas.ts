import { z } from 'zod';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Pin } from '../../catalog/pin.ts';
import type { ToolOverride } from '../../catalog/store.ts';
import type { Grant } from '../../policy/grant.ts';
import type { ServerTrust } from '../../policy/store.ts';
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
const globs = z.array(z.string().min(1).max(256)).max(1_000);
const toolFilter = z.strictObject({ allow: globs.exactOptional(), deny: globs.exactOptional() });
const risk = z.enum(['read', 'write', 'destructive', 'unknown']);
const milliseconds = z.number().int().positive();
const json = z.custom<Json>(() => true);
const object = z.custom<JsonObject>(isObject, { error: 'must be an object' });
const serverId = z.string().refine(isServerId, "cannot be a server's name");

const endpoint = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('stdio'),
    command: text.min(1),
    args: z.array(text).max(1_000),
    cwd: text.exactOptional(),
    env: texts,
  }),
  z.strictObject({ kind: z.enum(['http', 'sse', 'ws']), url: text.min(1), headers: texts }),
]);

const source = z.strictObject({
  kind: z.enum(['official', 'smithery', 'featured', 'manual', 'file', 'import']),
  name: text.exactOptional(),
  version: text.exactOptional(),
  file: text.exactOptional(),
  scope: z.enum(['env', 'project', 'user']).exactOptional(),
});

const anyServer = z.strictObject({
  id: serverId,
  name: text,
  endpoint,
  auth: z.enum(['none', 'key', 'key-file', 'oauth', 'header', 'unknown']),
  enabled: z.boolean(),
  source,
  package: z
    .strictObject({
      registry: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'http']),
      name: text,
      version: text,
      runtimeHint: text.exactOptional(),
    })
    .exactOptional(),
  config: z.record(name, json),
  timeouts: z.strictObject({
    startMs: milliseconds.exactOptional(),
    callMs: milliseconds.exactOptional(),
    idleMs: milliseconds.exactOptional(),
    toolMs: z.record(name, milliseconds).exactOptional(),
  }),
  tools: toolFilter,
  readOnly: z.boolean(),
  keepAlive: z.boolean(),
  sharing: z.enum(['auto', 'shared', 'per-host']),
  allowDangerousEnv: z.array(name).max(1_000).exactOptional(),
  extra: object,
});

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

export const profile: z.ZodType<Profile> = z.strictObject({
  name: serverId,
  servers: globs.exactOptional(),
  tools: toolFilter.exactOptional(),
  readOnly: z.boolean().exactOptional(),
});

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
