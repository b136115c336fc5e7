import type { Clock } from '../../base/clock.ts';
import { carriersOf } from './process-table.ts';

/** Answers false when there is no such process group. */
export function killGroup(group: number, signal: NodeJS.Signals): boolean {
  return send(-group, signal);
}

const LOOK_MS = 10;

/** The kernel takes a moment to kill. A zombie still counts as present, so the wait is short. */
export async function untilGroupGone(
  group: number,
  { clock, ms }: { readonly clock: Clock; readonly ms: number },
): Promise<void> {
  const until = clock.monotonic() + ms;
  while (send(-group, 0) && clock.monotonic() < until) await clock.sleep(LOOK_MS);
}

/** How often the table is read again: a process may fork while it is being killed. */
const ROUNDS = 5;

/** Kills every process that carries the marker, also outside the group; answers how many. */
export async function killCarriers(marker: string): Promise<number> {
  const killed = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const found = (await carriersOf(marker)).filter((pid) => !killed.has(pid) && pid !== process.pid);
    if (found.length === 0) break;
    for (const pid of found) {
      send(pid, 'SIGKILL');
      killed.add(pid);
    }
  }
  return killed.size;
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // ESRCH: already gone. EPERM: it runs as another user now.
    return false;
  }
}
