import type { ErrorView } from '../../base/errors.ts';
import type { DoctorCheck, DoctorRow } from '../hub.ts';
import { lookAtAuth } from './auth-check.ts';
import { lookAtCommand } from './command-check.ts';
import { lookAtConfig, takesPart } from './config-check.ts';
import { lookAtEndpoint } from './endpoint-check.ts';
import { lookAtHandshake } from './handshake-check.ts';
import { readLive, startLive } from './live-check.ts';
import type { Patient } from './patient.ts';
import { failedBefore } from './recorded.ts';
import { fail, skip } from './rows.ts';
import { lookAtSpawn, lookAtStderr } from './spawn-check.ts';
import { lookAtPins, lookAtTools } from './tools-check.ts';
import { lookAtVariables } from './variables-check.ts';

interface Step {
  readonly check: DoctorCheck;
  readonly look: (patient: Patient) => Promise<readonly DoctorRow[]>;
}

const CONFIG: Step = { check: 'config', look: lookAtConfig };
const VARIABLES: Step = { check: 'variables', look: lookAtVariables };
const HANDSHAKE: Step = { check: 'handshake', look: lookAtHandshake };
const AFTER: readonly Step[] = [
  { check: 'tools', look: lookAtTools },
  { check: 'pins', look: lookAtPins },
];

const LOCAL: readonly Step[] = [
  CONFIG,
  VARIABLES,
  { check: 'command', look: lookAtCommand },
  { check: 'spawn', look: lookAtSpawn },
  { check: 'stderr', look: lookAtStderr },
  HANDSHAKE,
  ...AFTER,
];

const REMOTE: readonly Step[] = [
  CONFIG,
  VARIABLES,
  { check: 'endpoint', look: lookAtEndpoint },
  HANDSHAKE,
  { check: 'auth', look: lookAtAuth },
  ...AFTER,
];

/** From cause to effect. Invariant: after the first step that fails, nothing is claimed about the rest. */
export async function* followChain(patient: Patient): AsyncGenerator<DoctorRow, void, void> {
  const { id, visit } = patient;
  const local = patient.pooled.definition.endpoint.kind === 'stdio';
  const steps = [
    ...(local ? LOCAL : REMOTE),
    ...(visit.live ? [{ check: 'live', look: readLive } as const] : []),
  ];
  let cause: DoctorCheck | undefined;
  for (const { check, look } of steps) {
    if (cause !== undefined) {
      yield { ...skip(check, `Not looked at: “${cause}” comes first.`), server: id };
      continue;
    }
    // What comes from here on is known only of a server that was started.
    const starts = visit.live && check === (local ? 'spawn' : 'handshake');
    if (starts) await startLive(patient);
    const before = starts ? failedBefore(patient, check) : undefined;
    const rows = before ? [before] : await look(patient);
    for (const row of rows) yield { ...row, server: id };
    if (rows.some(({ status }) => status === 'fail')) cause = check;
    // Switched off, or not trusted yet: nothing else is expected of it.
    if (check === 'config' && !takesPart(patient)) return;
  }
}

/** An entry that is too wrong to be a server has a cause, and no chain. */
export function* brokenEntry(id: string, error: ErrorView): Generator<DoctorRow, void, void> {
  const { code: cause, message, owner, next } = error;
  yield { ...fail('config', message, { cause, owner, next }), server: id };
}
