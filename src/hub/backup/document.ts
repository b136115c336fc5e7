import { z } from 'zod';
import { findShapeProblem } from '../../base/json-shape.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SealedBundle } from '../../vault/sealed-bundle.ts';
import type { Backup } from '../maintenance.ts';
import { definitionFields, profileFields } from '../../servers/definition-schema.ts';
import { isServerId } from '../../servers/definition.ts';
import {
  backupLimits as limits,
  CARRIED_FILES,
  type Contents,
  KINDS,
  type OpenContents,
  type SealedContents,
} from './contents.ts';

/** A backup that was checked; its sealed part is still sealed. */
export interface ReadBackup extends Pick<Backup, 'version' | 'madeAt' | 'madeBy'> {
  readonly contents: OpenContents;
  /** As it stood in the document: the sealed part is bound to exactly this. */
  readonly written: JsonObject;
  readonly bundle?: SealedBundle;
}

export function readBackup(given: JsonObject): ReadBackup {
  const { plugboard, version } = given;
  if (plugboard !== 'backup') throw unreadable('it isn’t a Plugboard backup');
  if (version !== 1) {
    throw new PlugError('unsupported', 'This backup was made by a later version of Plugboard.', {
      owner: 'you',
      remedy: 'Install that version here, then restore.',
      details: { version },
    });
  }
  checkShape(given);
  const { contents, secrets, madeAt, madeBy } = parsed(backupSchema, given);
  const read = { version, madeAt, madeBy, contents, written: given['contents'] as JsonObject } as const; // it was parsed
  return secrets ? { ...read, bundle: secrets } : read;
}

export function readSealed(text: string): SealedContents {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('its encrypted part isn’t JSON');
  }
  return parsed(sealedSchema, value);
}

// Everything is bounded: a backup may come from anywhere.
const text = z.string().max(limits.textCharsMax);
const name = z.string().min(1).max(limits.nameCharsMax);
const named = z.string().max(limits.nameCharsMax);
const long = z.string().max(limits.documentBytesMax);
const risk = z.enum(['read', 'write', 'destructive', 'unknown']);
const time = z.number().int().nonnegative();
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const price = z.number().nonnegative();
const flag = z.boolean().exactOptional();
const serverId = z.string().refine(isServerId, "cannot be a server's name");
const anyServer = z.strictObject({ ...definitionFields(z), id: serverId });

const scope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tool'), tool: name, hash }),
  z.strictObject({ kind: z.literal('reads') }),
  z.strictObject({ kind: z.literal('arguments'), tool: name, hash, pattern: z.record(name, text) }),
]);

const rows = <Row extends z.ZodType>(schema: Row, max: number = limits.rowsMax): z.ZodArray<Row> =>
  z.array(schema).max(max);

const sections: { readonly [Kind in keyof Contents]: z.ZodType<Contents[Kind]> } = {
  // A server of the database: no file defines it.
  servers: rows(
    anyServer.refine(({ source: { kind } }) => kind !== 'file', 'comes from a file'),
    limits.serversMax,
  ),
  overrides: rows(
    z.strictObject({ server: serverId, enabled: flag, readOnly: flag, recorded: flag, apps: flag }),
    limits.serversMax,
  ),
  profiles: rows(z.strictObject({ ...profileFields(z), name: serverId }), limits.serversMax),
  fileTrust: rows(
    z.strictObject({
      file: name,
      server: name,
      fingerprint: hash,
      trustedAt: time,
      definition: anyServer.exactOptional(),
    }),
  ),
  serverTrust: rows(
    z.strictObject({ server: name, fingerprint: hash, trustedAt: time, source: name }),
    limits.serversMax,
  ),
  grants: rows(
    z.strictObject({
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
    }),
  ),
  pins: rows(z.strictObject({ server: name, tool: name, hash, definition: long, pinnedAt: time })),
  tools: rows(z.strictObject({ server: name, tool: name, enabled: flag, risk: risk.exactOptional() })),
  models: rows(
    z.strictObject({
      name: z.string().min(1).max(64),
      provider: z.enum(['openai', 'anthropic', 'google', 'compatible']),
      model: z.string().min(1).max(256),
      url: z.string().max(2_048).exactOptional(),
      contextTokens: z.number().int().positive().exactOptional(),
      price: z.strictObject({ input: price, output: price }).exactOptional(),
      createdAt: time,
      chosen: z.number().exactOptional(),
    }),
    limits.serversMax,
  ),
  accounts: rows(
    z.strictObject({
      server: serverId,
      account: z.string().min(1).max(64),
      displayName: text.exactOptional(),
      createdAt: time,
      isDefault: z.boolean(),
    }),
  ),
  files: rows(
    z.strictObject({ name: z.enum(CARRIED_FILES), text: z.string().max(limits.fileCharsMax) }),
    CARRIED_FILES.length,
  ),
};

const backupSchema = z.strictObject({
  plugboard: z.literal('backup'),
  version: z.literal(1),
  madeAt: z.number().int().nonnegative(),
  madeBy: named,
  contents: z.strictObject({
    ...sections,
    elsewhere: rows(z.strictObject({ server: named, file: named }), limits.serversMax),
    leftOut: rows(z.strictObject({ kind: z.enum(KINDS), name: named })),
  }),
  secrets: z
    .strictObject({
      derivation: z.strictObject({
        kind: z.literal('scrypt'),
        salt: z.string().regex(/^[\w-]{16,128}$/),
        cost: z
          .number()
          .int()
          .min(2 ** 14)
          .max(limits.scryptCostMax)
          .refine((cost) => Number.isInteger(Math.log2(cost)), 'must be a power of two'),
        blockSize: z.number().int().min(8).max(limits.scryptBlockSizeMax),
      }),
      check: z.string().max(1_024),
      sealed: long,
    })
    .exactOptional(),
});

const secret = z.strictObject({ name, value: long.min(1) });
const sealedSchema = z.strictObject({ ...sections, secrets: rows(secret, limits.secretsMax) });

function checkShape(given: JsonObject): void {
  const text = JSON.stringify(given);
  if (Buffer.byteLength(text) > limits.documentBytesMax) throw unreadable('it is too large');
  const problem = findShapeProblem(text, limits);
  if (problem !== undefined) throw unreadable(problem.replace(/^It/, 'it').replace(/\.$/, ''));
}

function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue?.path.join('.') ?? '';
  // Zod's sentence names types and limits, never the value.
  throw unreadable(`${where === '' ? 'it' : where} is not as it should be (${issue?.message ?? 'unknown'})`);
}

function unreadable(why: string): PlugError {
  const remedy = 'Use the file as it was written, or make another backup.';
  const message = `This backup cannot be used: ${why}. Nothing was changed.`;
  return new PlugError('bad_config', message, { owner: 'you', remedy });
}
