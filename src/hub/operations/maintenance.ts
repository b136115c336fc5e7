import type {
  Backup,
  DoctorReport,
  DoctorRow,
  FixOutcome,
  RestoreOutcome,
  Settings,
} from '../maintenance.ts';
import { flag, jsonObject, passphrase, serverId } from './fields.ts';
import { member, owner, progress, type, type Zod } from './operation.ts';

const days = (z: Zod) => z.number().int().min(1).max(3_650);

export const settings = {
  get: member('GET /v1/settings', 'What is set for all faces.', { output: type<Settings>() }),
  change: owner('PUT /v1/settings', 'Changes a setting; holds at once.', {
    input: (z) => ({
      retention: z
        .strictObject({ callDays: days(z).exactOptional(), resultDays: days(z).exactOptional() })
        .exactOptional(),
      readOnly: flag(z),
    }),
    output: type<Settings>(),
  }),
};

export const doctor = {
  /** Changes nothing; with `live` each server is started and asked for one safe read. */
  run: owner(
    'POST /v1/doctor',
    'Checks servers and the machine, from cause to effect. Rows arrive as progress.',
    {
      input: (z) => ({ server: serverId(z).exactOptional(), live: flag(z) }),
      output: type<DoctorReport>(),
      progress: progress<DoctorRow>(),
    },
  ),
  fix: owner('POST /v1/doctor/fix', 'Carries out fixes that a report has offered.', {
    input: (z) => ({ fixes: z.array(z.string().min(1).max(256)).max(1_000) }),
    output: type<readonly FixOutcome[]>(),
  }),
};

const restoring = (z: Zod) => ({
  backup: jsonObject(z),
  passphrase: passphrase(z).exactOptional(),
  replace: flag(z),
});

export const backups = {
  /** Servers, profiles, grants, pins, settings of tools, models and rules; secrets are sealed in it, and
   * anything redacted would not come back as it was. */
  make: owner('POST /v1/backups', 'Everything in one document; secrets only under a passphrase.', {
    redact: 'progress',
    input: (z) => ({ passphrase: passphrase(z).exactOptional() }),
    output: type<Backup>(),
  }),
  check: owner('POST /v1/backups/check', 'What a restore would do.', {
    input: restoring,
    output: type<RestoreOutcome>(),
  }),
  /** What is already here under the same name stays, unless `replace`. */
  restore: owner('POST /v1/backups/restore', 'Brings back what a backup holds.', {
    input: restoring,
    output: type<RestoreOutcome>(),
  }),
};
