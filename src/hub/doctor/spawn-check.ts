import type { ErrorCode } from '../../base/errors.ts';
import type { ServerState } from '../../connections/state.ts';
import { keyOf } from '../workspace.ts';
import type { DoctorRow } from '../hub.ts';
import { knownCause } from './known-causes.ts';
import type { Patient } from './patient.ts';
import { beyondFailure, failedAt } from './recorded.ts';
import { fail, lastLines, pass, skip, warn } from './rows.ts';

type Failed = Extract<ServerState, { kind: 'failed' }>;

/** Whether its process came to life. One that ended by itself is told by what it said, a step later. */
export async function lookAtSpawn(patient: Patient): Promise<readonly DoctorRow[]> {
  const { state, id, visit, pooled } = patient;
  const beyond = beyondFailure(patient, 'spawn');
  if (beyond) return [beyond];
  if (state.kind === 'failed' && failedAt(patient) === 'spawn') return [ended(patient, state)];
  const pid = visit.core.pool.output(pooled.key)?.pid;
  if (state.kind === 'ready' || state.kind === 'degraded')
    return [pass('spawn', `It runs, pid ${pid ?? 'unknown'}.`)];
  if (state.kind === 'starting') return [pass('spawn', 'It is starting.')];
  if (state.kind === 'failed') return [pass('spawn', 'It could be started.')];
  const last = await lastFailure(patient);
  if (last === undefined) return [pass('spawn', 'Not running now; it starts on first use.')];
  return [
    warn('spawn', `Its last start failed, and nobody has tried since: ${last}`, {
      cause: 'start_failed',
      owner: 'server',
      next: `plug doctor ${id} --live`,
    }),
  ];
}

/** What it said before it ended, with the cause where the words are known. */
export function lookAtStderr(patient: Patient): Promise<readonly DoctorRow[]> {
  const { state, id, visit, server } = patient;
  const beyond = beyondFailure(patient, 'stderr');
  const output = visit.core.pool.output(keyOf(server.definition));
  const lines =
    (state.kind === 'failed' ? state.stderr : undefined) ??
    output?.stderr(visit.core.limits.stderrLinesShown) ??
    [];
  if (state.kind === 'failed' && failedAt(patient) === 'spawn') {
    const found = knownCause(lines, patient.server.definition);
    return Promise.resolve([
      fail('stderr', found?.says ?? `It ${howItEnded(state)}; its last words say why.`, {
        cause: found?.cause ?? codeOf(state),
        owner: found?.owner ?? 'server',
        next: found?.next ?? `plug logs ${id}`,
        details: lastLines(lines),
      }),
    ]);
  }
  if (beyond) return Promise.resolve([beyond]);
  if (output === undefined)
    return Promise.resolve([skip('stderr', 'Nothing was written since the hub started.')]);
  return Promise.resolve([
    pass('stderr', lines.length === 0 ? 'It has written nothing.' : 'Nothing that speaks of a fault.'),
  ]);
}

function ended({ id }: Patient, state: Failed): DoctorRow {
  const lines = state.stderr ?? [];
  const cannotRun = state.exitCode === 126 || state.exitCode === 127;
  const spoke = lines.some((line) => line.trim() !== '');
  // A process that spoke before it ended explains itself in the next step.
  if (spoke && !cannotRun && state.exitSignal === undefined && state.exitCode !== undefined) {
    return pass('spawn', `It could be started, and ${howItEnded(state)}.`);
  }
  return fail('spawn', cannotRun ? CANNOT_RUN : state.reason, {
    cause: cannotRun ? 'missing_command' : codeOf(state),
    owner: cannotRun ? 'you' : 'server',
    next: cannotRun
      ? 'Look at the first line of the file, and at what it is: file, ls -l.'
      : (state.next ?? `plug logs ${id}`),
    details: lastLines(lines),
  });
}

const CANNOT_RUN =
  'Its file cannot be run: it is no program for this machine, or the interpreter that its first line names is not there.';

function howItEnded({ exitCode, exitSignal }: Failed): string {
  if (exitSignal !== undefined) return `was ended by ${exitSignal}`;
  return exitCode === undefined ? 'ended' : `ended with exit code ${exitCode}`;
}

function codeOf({ cause }: Failed): ErrorCode {
  return cause === 'refused' ? 'unavailable' : 'start_failed';
}

/** A hub that was started anew knows of earlier failures only what it kept of them. */
async function lastFailure({ visit: { core }, pooled }: Patient): Promise<string | undefined> {
  const [last] = await core.storage.connections.listEvents(core.owner, { server: pooled.key, limit: 1 });
  return last?.kind === 'ERROR' ? last.reason : undefined;
}
