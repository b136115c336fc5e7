import { readFileSync } from 'node:fs';
import type { Contender } from './gateway-contenders.ts';
import { drive } from './gateway-load.ts';
import { median, rssMb } from './measure.ts';

const TICKS_PER_SECOND = 100;

export interface Cost {
  readonly name: string;
  readonly callsPerSecond: number;
  readonly p50Ms: number;
  /** Of all its processes together. */
  readonly cpuMicros: number;
  readonly rssMb: number;
}

export interface Rounds {
  readonly rounds: number;
  readonly sampleMs: number;
}

/**
 * Compiled code is what is compared, and the engine takes its time: after 5,000 calls it still spends
 * more on compiling a large program than on running it. A slow peer is not waited for without end.
 */
const WARM_UP = { atOnce: 32, calls: 100_000, ms: 15_000 };

export async function warmUp(contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) await drive(await contender.lanes(WARM_UP.atOnce), WARM_UP);
}

/** Every contender in turn, round after round: what disturbs the machine disturbs all of them. */
export async function runRounds(
  contenders: readonly Contender[],
  atOnce: number,
  { rounds, sampleMs }: Rounds,
): Promise<readonly Cost[]> {
  const samples = contenders.map((): Cost[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      samples[index]?.push(await sample(contender, atOnce, sampleMs));
    }
  }
  return samples.map((own, index) => ({
    name: contenders[index]?.name ?? '',
    callsPerSecond: median(own.map((each) => each.callsPerSecond)),
    p50Ms: median(own.map((each) => each.p50Ms)),
    cpuMicros: median(own.map((each) => each.cpuMicros)),
    rssMb: own.at(-1)?.rssMb ?? Number.NaN,
  }));
}

async function sample(contender: Contender, atOnce: number, sampleMs: number): Promise<Cost> {
  const lanes = await contender.lanes(atOnce);
  const before = cpuOf(contender.pids);
  const { calls, wallMs, p50Ms } = await drive(lanes, { ms: sampleMs });
  const cpu = cpuOf(contender.pids) - before;
  return {
    name: contender.name,
    callsPerSecond: (calls / wallMs) * 1_000,
    p50Ms,
    cpuMicros: cpu / calls,
    rssMb: contender.pids.reduce((sum, pid) => sum + rssMb(pid), 0),
  };
}

/** CPU time in microseconds, all threads, from Linux's process table: in steps of ten milliseconds. */
function cpuOf(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]); // utime and stime, see proc(5)
  }
  return (ticks / TICKS_PER_SECOND) * 1_000_000;
}
