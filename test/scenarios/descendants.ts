import { readdirSync, readFileSync } from 'node:fs';

/** Every process below this one, from the process table of Linux. */
export function descendantsOf(pid: number): readonly number[] {
  const below = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? statOf(Number(name))?.parent : undefined;
    if (parent !== undefined) below.set(parent, [...(below.get(parent) ?? []), Number(name)]);
  }
  const all = (of: number): readonly number[] => {
    const children = below.get(of) ?? [];
    return children.concat(children.flatMap(all));
  };
  return all(pid);
}

export function isAlive(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state !== undefined && state !== 'Z';
}

function statOf(pid: number): { readonly state: string; readonly parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { state, parent: Number(parent) };
  } catch {
    return undefined; // it has gone
  }
}
