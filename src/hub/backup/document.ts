import { z } from 'zod';
import { findShapeProblem } from '../../base/json-shape.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SealedBundle } from '../../vault/sealed-bundle.ts';
import { emptyContents, type OpenContents, type SealedContents } from './contents.ts';
import { backupLimits as limits } from './limits.ts';
import * as row from './row-schemas.ts';

/** A backup that is whole and readable. What is sealed in it is still sealed. */
export interface ReadBackup {
  readonly version: 1;
  readonly madeAt: number;
  readonly madeBy: string;
  readonly contents: OpenContents;
  /** As it stood in the document: what is sealed is bound to exactly this. */
  readonly written: JsonObject;
  readonly bundle?: SealedBundle;
}

/** Checks all of a document before anything is done with it. */
export function readBackup(given: JsonObject): ReadBackup {
  const { plugboard, version } = given;
  if (plugboard !== 'backup') throw unreadable('it is no backup of Plugboard');
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

/** What was in the sealed part, checked like the rest. */
export function readSealed(text: string): SealedContents {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable('its sealed part is no JSON');
  }
  return parsed(sealedSchema, value);
}

const rows = <Row extends z.ZodType>(schema: Row, max: number = limits.rowsMax): z.ZodArray<Row> =>
  z.array(schema).max(max);

const sections = {
  servers: rows(row.server, limits.serversMax),
  overrides: rows(row.override, limits.serversMax),
  profiles: rows(row.profile, limits.serversMax),
  fileTrust: rows(row.fileTrust),
  serverTrust: rows(row.serverTrust, limits.serversMax),
  grants: rows(row.grant),
  pins: rows(row.pin),
  tools: rows(row.tool),
  models: rows(row.model, limits.serversMax),
  accounts: rows(row.account),
  files: rows(row.file, 4),
};

const named = z.string().max(limits.nameCharsMax);
const kinds = Object.keys(emptyContents) as [keyof typeof emptyContents]; // it has some

const backupSchema = z.strictObject({
  plugboard: z.literal('backup'),
  version: z.literal(1),
  madeAt: z.number().int().nonnegative(),
  madeBy: named,
  contents: z.strictObject({
    ...sections,
    elsewhere: rows(z.strictObject({ server: named, file: named }), limits.serversMax),
    leftOut: rows(z.strictObject({ kind: z.enum(kinds), name: named })),
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
      sealed: z.string().max(limits.documentBytesMax),
    })
    .exactOptional(),
});

const sealedSchema = z.strictObject({ ...sections, secrets: rows(row.secret, limits.secretsMax) });

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
  return new PlugError('bad_config', `This backup cannot be used: ${why}. Nothing was changed.`, {
    owner: 'you',
    remedy: 'Use the file as it was written, or make another backup.',
  });
}
