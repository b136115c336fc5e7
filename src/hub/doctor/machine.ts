import { toPlugError } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import { lookAtClock } from './clock-check.ts';
import { lookAtFiles, lookForNearMisses } from './files-check.ts';
import { lookAtHub } from './hub-check.ts';
import { lookAtModels, lookAtRules } from './settings-check.ts';
import { lookForOrphans } from './orphans-check.ts';
import type { Visit } from './patient.ts';
import { lookAtProxy } from './proxy-check.ts';
import { fail } from './rows.ts';
import { lookForRuntimes } from './runtimes-check.ts';
import { lookAtStorage } from './storage-check.ts';
import { lookAtVault } from './vault-check.ts';

type Look = (visit: Visit) => Promise<readonly DoctorRow[]>;

const CHECKS: readonly (readonly [DoctorCheck, Look])[] = [
  ['hub', lookAtHub],
  ['files', lookAtFiles],
  ['near-miss', lookForNearMisses],
  ['rules', lookAtRules],
  ['runtimes', lookForRuntimes],
  ['vault', lookAtVault],
  ['storage', lookAtStorage],
  ['orphans', lookForOrphans],
  ['clock', lookAtClock],
  ['proxy', lookAtProxy],
  ['models', lookAtModels],
];

/** Everything that is not about one server. A check that breaks is a row, and the rest goes on. */
export async function* lookAtMachine(visit: Visit): AsyncGenerator<DoctorRow, void, void> {
  for (const [check, look] of CHECKS) {
    if (visit.signal?.aborted) return;
    try {
      yield* await look(visit);
    } catch (error) {
      const { code: cause, message, next } = toPlugError(error);
      yield fail(check, `It could not be looked at: ${message}`, { cause, owner: 'plugboard', next });
    }
  }
}
