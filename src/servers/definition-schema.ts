import type { z as zod } from 'zod';
import type { Json, JsonObject } from '../base/json.ts';
import type { ServerDefinition } from './definition.ts';
import type { Profile } from './profile.ts';

type Zod = typeof zod;

const TEXT_CHARS_MAX = 64 * 1024;

const text = (z: Zod) => z.string().max(TEXT_CHARS_MAX);
const texts = (z: Zod) => z.record(text(z), text(z));
const globs = (z: Zod) => z.array(z.string().min(1).max(256)).max(1_000);
const milliseconds = (z: Zod) => z.number().int().positive();
const toolFilter = (z: Zod) =>
  z.strictObject({ allow: globs(z).exactOptional(), deny: globs(z).exactOptional() });

const localFields = (z: Zod) => ({
  kind: z.literal('stdio'),
  command: text(z).min(1),
  args: z.array(text(z)).max(1_000),
  cwd: text(z).exactOptional(),
  env: texts(z),
});

const remoteFields = (z: Zod) => ({
  kind: z.enum(['http', 'sse', 'ws']),
  url: text(z).min(1),
  headers: texts(z),
});

const endpoint = (z: Zod) =>
  z.discriminatedUnion('kind', [z.strictObject(localFields(z)), z.strictObject(remoteFields(z))]);

const givenEndpoint = (z: Zod) => {
  const [local, remote] = [localFields(z), remoteFields(z)];
  return z.discriminatedUnion('kind', [
    z.strictObject({ ...local, args: local.args.exactOptional(), env: local.env.exactOptional() }),
    z.strictObject({ ...remote, headers: remote.headers.exactOptional() }),
  ]);
};

const source = (z: Zod) =>
  z.strictObject({
    kind: z.enum(['official', 'smithery', 'featured', 'manual', 'file', 'import']),
    name: text(z).exactOptional(),
    version: text(z).exactOptional(),
    file: text(z).exactOptional(),
    scope: z.enum(['env', 'project', 'user']).exactOptional(),
    author: z.literal('user').exactOptional(),
    replaces: z.literal(true).exactOptional(),
    chosen: z.array(z.string().max(4_096)).max(100).exactOptional(),
  });

const packageRef = (z: Zod) =>
  z.strictObject({
    registry: z.enum(['npm', 'pypi', 'oci', 'nuget', 'mcpb', 'http']),
    name: text(z),
    version: text(z),
    runtimeHint: text(z).exactOptional(),
    integrity: text(z).exactOptional(),
  });

const follow = (z: Zod) =>
  z.strictObject({
    client: text(z),
    file: text(z),
    syntax: z.enum(['json', 'yaml', 'toml', 'elisp']),
    path: z.array(text(z)).max(1_000),
    workspace: text(z).exactOptional(),
    entry: text(z),
    pinned: text(z).exactOptional(),
  });

const timeouts = (z: Zod) =>
  z.strictObject({
    startMs: milliseconds(z).exactOptional(),
    callMs: milliseconds(z).exactOptional(),
    idleMs: milliseconds(z).exactOptional(),
    toolMs: z.record(text(z), milliseconds(z)).exactOptional(),
  });

/** A field missing here doesn't compile. */
export const definitionFields = (z: Zod) =>
  ({
    id: z.string().min(1).max(64),
    name: text(z),
    endpoint: endpoint(z),
    auth: z.enum(['none', 'key', 'key-file', 'oauth', 'header', 'unknown']),
    enabled: z.boolean(),
    source: source(z),
    package: packageRef(z).exactOptional(),
    config: z.record(text(z), z.custom<Json>(() => true).meta({})),
    timeouts: timeouts(z),
    tools: toolFilter(z),
    readOnly: z.boolean(),
    keepAlive: z.boolean(),
    sharing: z.enum(['auto', 'shared', 'per-host']),
    allowDangerousEnv: z.array(text(z)).max(1_000).exactOptional(),
    follow: follow(z).exactOptional(),
    icons: z.array(text(z)).max(100).exactOptional(),
    extra: z
      .custom<JsonObject>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
        error: 'must be an object',
      })
      .meta({ type: 'object', additionalProperties: true }),
  }) satisfies Record<keyof ServerDefinition, zod.ZodType>;

/** Fields with defaults are optional: `defineServer` fills them in. */
export const givenDefinition = (z: Zod) => {
  const fields = definitionFields(z);
  return z.strictObject({
    ...fields,
    endpoint: givenEndpoint(z),
    name: fields.name.exactOptional(),
    auth: fields.auth.exactOptional(),
    enabled: fields.enabled.exactOptional(),
    source: fields.source.exactOptional(),
    config: fields.config.exactOptional(),
    timeouts: fields.timeouts.exactOptional(),
    tools: fields.tools.exactOptional(),
    readOnly: fields.readOnly.exactOptional(),
    keepAlive: fields.keepAlive.exactOptional(),
    sharing: fields.sharing.exactOptional(),
    extra: fields.extra.exactOptional(),
  });
};

export const profileFields = (z: Zod) =>
  ({
    name: z.string().min(1).max(128),
    servers: globs(z).exactOptional(),
    tools: toolFilter(z).exactOptional(),
    readOnly: z.boolean().exactOptional(),
  }) satisfies Record<keyof Profile, zod.ZodType>;
