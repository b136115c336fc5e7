import { readdirSync, readFileSync } from 'node:fs';

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/**
 * Runs the contenders in turn, round after round, and answers the median of each. What disturbs
 * the machine for a while disturbs all of them. The first rounds warm up and do not count.
 */
export async function interleave<K extends string>(
  contenders: Readonly<Record<K, () => number | Promise<number>>>,
  { rounds, warmUps = 1 }: { readonly rounds: number; readonly warmUps?: number },
): Promise<Readonly<Record<K, number>>> {
  const names = Object.keys(contenders) as K[]; // the keys of a record of K
  const samples = new Map<K, number[]>(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const name of names) {
      const sample = await contenders[name]();
      if (round >= 0) samples.get(name)?.push(sample);
    }
  }
  // Every name of the record was measured.
  return Object.fromEntries(names.map((name) => [name, median(samples.get(name) ?? [])])) as Record<
    K,
    number
  >;
}

/** CPU time of this process, all its threads, in microseconds. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

export async function wallOf(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Resident memory of a process, from Linux's process table; NaN where there is none. */
export function rssMb(pid: number): number {
  return kilobytes(`/proc/${pid}/status`, 'VmRSS') / 1024;
}

/** Its memory with shared pages counted by share: what one more such process costs. */
export function pssMb(pid: number): number {
  return kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss') / 1024;
}

function kilobytes(file: string, field: string): number {
  try {
    const line = readFileSync(file, 'latin1').match(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm'));
    return Number(line?.[1] ?? Number.NaN);
  } catch {
    return Number.NaN; // it has gone, or this is not Linux
  }
}

/** Processes whose command line fits. */
export function findProcesses(fits: (commandLine: string, pid: number) => boolean): readonly number[] {
  return pids().filter((pid) => {
    const commandLine = textOf(`/proc/${pid}/cmdline`);
    return commandLine !== '' && fits(commandLine.replaceAll('\0', ' '), pid);
  });
}

/** Direct children: servers are started by the hub itself. */
export function childrenOf(parent: number): readonly number[] {
  return pids().filter((pid) => {
    const stat = textOf(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === parent;
  });
}

function pids(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return ''; // it went while we looked
  }
}
