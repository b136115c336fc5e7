import type { Clock } from '../../base/clock.ts';
import type { Limits } from '../../base/limits.ts';
import type { ProcessRecord } from '../store.ts';
import { killCarriers, killGroup, untilGroupGone } from './kill.ts';
import { carriesMarker, startTimeOf } from './process-table.ts';

export interface ReapOutcome {
  readonly record: ProcessRecord;
  /** `gone`: nothing of it was left. `ended`: it still ran and was killed. `stranger`: the pid is someone else's now. */
  readonly outcome: 'gone' | 'ended' | 'stranger';
}

/**
 * Ends what a crashed hub left behind. Usually its watchers have done so already. Give it only
 * records of hubs that are dead.
 *
 * Invariant: a group is signalled only when its leader's pid and start time are those recorded
 * and, on Linux, it carries the recorded marker. A recycled pid is never signalled.
 */
export async function reapLeftovers(
  records: readonly ProcessRecord[],
  options: { readonly clock: Clock; readonly limits: Limits },
): Promise<readonly ReapOutcome[]> {
  return Promise.all(records.map(async (record) => ({ record, outcome: await reap(record, options) })));
}

async function reap(
  record: ProcessRecord,
  { clock, limits }: { readonly clock: Clock; readonly limits: Limits },
): Promise<ReapOutcome['outcome']> {
  const leader = await leaderOf(record);
  if (leader === 'ours') {
    killGroup(record.pid, 'SIGTERM');
    await untilGroupGone(record.pid, { clock, ms: limits.stopTermMs });
    // Still there means still ours: a number is not given away while its group has members.
    if ((await leaderOf(record)) === 'ours') killGroup(record.pid, 'SIGKILL');
  }
  // The marker is random and ours alone: whoever carries it belongs to the tree.
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
  if (process.platform !== 'linux' || (await carriesMarker(record.pid, record.marker))) return 'ours';
  return 'stranger';
}
