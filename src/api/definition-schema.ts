import { z } from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import type { Profile } from '../servers/profile.ts';
import type { GivenDefinition } from './operations.ts';

/** Any JSON object, taken as it is: what a tool receives is not ours to walk through. */
export const jsonObject: z.ZodType<JsonObject> = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object',
  })
  .meta({ type: 'object', additionalProperties: true });

const jsonValue: z.ZodType<Json> = z.custom<Json>(() => true).meta({});

const strings = z.record(z.string(), z.string());
const globs = z.array(z.string().min(1).max(256)).max(1_000);
const milliseconds = z.number().int().positive();

const endpoint = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('stdio'),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    cwd: z.string().exactOptional(),
    env: strings.default({}),
  }),
  z.strictObject({
    kind: z.enum(['http', 'sse', 'ws']),
    url: z.string().min(1),
    headers: strings.default({}),
  }),
]);

const source = z.strictObject({
  kind: z.enum(['official', 'smithery', 'featured', 'manual', 'file', 'import']),
  name: z.string().exactOptional(),
  version: z.string().exactOptional(),
  file: z.string().exactOptional(),
  scope: z.enum(['env', 'project', 'user']).exactOptional(),
});

const packageRef = z.strictObject({
  registry: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'http']),
  name: z.string(),
  version: z.string(),
  runtimeHint: z.string().exactOptional(),
});

const timeouts = z.strictObject({
  startMs: milliseconds.exactOptional(),
  callMs: milliseconds.exactOptional(),
  idleMs: milliseconds.exactOptional(),
  toolMs: z.record(z.string(), milliseconds).exactOptional(),
});

const toolFilter = z.strictObject({ allow: globs.exactOptional(), deny: globs.exactOptional() });

export const definition: z.ZodType<GivenDefinition> = z.strictObject({
  id: z.string().min(1).max(64),
  name: z.string().exactOptional(),
  endpoint,
  auth: z.enum(['none', 'key', 'key-file', 'oauth', 'header', 'unknown']).exactOptional(),
  enabled: z.boolean().exactOptional(),
  source: source.exactOptional(),
  package: packageRef.exactOptional(),
  config: z.record(z.string(), jsonValue).exactOptional(),
  timeouts: timeouts.exactOptional(),
  tools: toolFilter.exactOptional(),
  readOnly: z.boolean().exactOptional(),
  keepAlive: z.boolean().exactOptional(),
  sharing: z.enum(['auto', 'shared', 'per-host']).exactOptional(),
  extra: jsonObject.exactOptional(),
});

export const profile: z.ZodType<Profile> = z.strictObject({
  name: z.string().min(1).max(128),
  servers: globs.exactOptional(),
  tools: toolFilter.exactOptional(),
  readOnly: z.boolean().exactOptional(),
});
