import type {
  Backup,
  DoctorReport,
  DoctorRow,
  FixOutcome,
  RestoreOutcome,
  Settings,
} from '../maintenance.ts';
import { jsonObject, passphrase, serverId } from './fields.ts';
import { op, progress, type, type Zod } from './operation.ts';

/** Settings, finding out what is wrong, and moving to another machine. */

const days = (z: Zod) => z.number().int().min(1).max(3_650);

export const settings = {
  get: op('GET /v1/settings', {
    summary: 'What is set for all faces.',
    role: 'member',
    output: type<Settings>(),
  }),
  change: op('PUT /v1/settings', {
    summary: 'Changes a setting; holds at once.',
    role: 'owner',
    input: (z) =>
      z.strictObject({
        retention: z
          .strictObject({ callDays: days(z).exactOptional(), resultDays: days(z).exactOptional() })
          .exactOptional(),
        readOnly: z.boolean().exactOptional(),
      }),
    output: type<Settings>(),
  }),
};

export const doctor = {
  /**
   * Looks at everything, or at one server. Changes nothing and calls no tool; with `live` each server
   * is started and asked for one safe read.
   */
  run: op('POST /v1/doctor', {
    summary: 'Looks for what is wrong, from cause to effect; rows come as progress.',
    role: 'owner',
    input: (z) => z.strictObject({ server: serverId(z).exactOptional(), live: z.boolean().exactOptional() }),
    output: type<DoctorReport>(),
    progress: progress<DoctorRow>(),
  }),
  fix: op('POST /v1/doctor/fix', {
    summary: 'Carries out fixes that a report has offered.',
    role: 'owner',
    input: (z) => z.strictObject({ fixes: z.array(z.string().min(1).max(256)).max(1_000) }),
    output: type<readonly FixOutcome[]>(),
  }),
};

const restoring = (z: Zod) =>
  z.strictObject({
    backup: jsonObject(z),
    passphrase: passphrase(z).exactOptional(),
    replace: z.boolean().exactOptional(),
  });

export const backups = {
  /** Servers, profiles, grants, pins, settings of tools, models and rules; secrets are sealed in it, and
   * anything redacted would not come back as it was. */
  make: op('POST /v1/backups', {
    summary: 'Everything in one document; secrets only under a passphrase.',
    role: 'owner',
    redact: 'progress',
    input: (z) => z.strictObject({ passphrase: passphrase(z).exactOptional() }),
    output: type<Backup>(),
  }),
  check: op('POST /v1/backups/check', {
    summary: 'What a restore would do.',
    role: 'owner',
    input: restoring,
    output: type<RestoreOutcome>(),
  }),
  /** What is here already under the same name stays, unless `replace`. */
  restore: op('POST /v1/backups/restore', {
    summary: 'Brings back what a backup holds.',
    role: 'owner',
    input: restoring,
    output: type<RestoreOutcome>(),
  }),
};
