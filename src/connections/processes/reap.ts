import type { Bounds } from '../limits.ts';
import type { ProcessRecord } from '../store.ts';
import { killCarriers, killGroup, untilGroupGone } from './kill.ts';
import { markerOf, startTimeOf } from './process-table.ts';

export interface ReapOutcome {
  readonly record: ProcessRecord;
  /** `ended`: it still ran and was killed. `stranger`: the pid was recycled. */
  readonly outcome: 'gone' | 'ended' | 'stranger';
}

/**
 * Usually the watchers have ended them already. Give it only records of hubs that are dead.
 * Invariant: a group is signalled only when its leader's pid and start time are those recorded
 * and, on Linux, it carries the recorded marker. A recycled pid is never signalled.
 */
export async function reapLeftovers(
  records: readonly ProcessRecord[],
  options: Bounds,
): Promise<readonly ReapOutcome[]> {
  return Promise.all(records.map(async (record) => ({ record, outcome: await reap(record, options) })));
}

async function reap(record: ProcessRecord, { clock, limits }: Bounds): Promise<ReapOutcome['outcome']> {
  const leader = await leaderOf(record);
  if (leader === 'ours') {
    killGroup(record.pid, 'SIGTERM');
    await untilGroupGone(record.pid, { clock, ms: limits.stopTermMs });
    // Still there means still ours: a number is not given away while its group has members.
    if ((await leaderOf(record)) === 'ours') killGroup(record.pid, 'SIGKILL');
  }
  // The marker is random: every process that carries it belongs to the tree.
  const escaped = await killCarriers(record.marker);
  if (leader === 'ours' || escaped > 0) {
    await untilGroupGone(record.pid, { clock, ms: limits.stopSweepMs });
    return 'ended';
  }
  return leader;
}

async function leaderOf(record: ProcessRecord): Promise<'ours' | 'gone' | 'stranger'> {
  const startTime = await startTimeOf(record.pid);
  if (startTime === undefined) return 'gone';
  if (record.startTime === '' || startTime !== record.startTime) return 'stranger';
  if (process.platform !== 'linux' || (await markerOf(record.pid)) === record.marker) return 'ours';
  return 'stranger';
}
