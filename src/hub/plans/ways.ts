import type { OfferedPlan } from '../plans.ts';
import type { MadePlan } from './plan-pasted.ts';

/** A plan that is offered, with the place of its server in the paste. */
export interface Way {
  readonly index: number;
  readonly made: MadePlan;
  readonly offered: OfferedPlan;
}

type CanRun = (command: string) => Promise<boolean>;

/** Ways to one server become one plan: the least demanding that works here, with the others beside it. */
export async function joinWays(
  ways: readonly Way[],
  groups: readonly (readonly number[])[],
  canRun: CanRun,
): Promise<readonly OfferedPlan[]> {
  const joined = new Map<Way, OfferedPlan>();
  const others = new Set<Way>();
  for (const group of groups) {
    const members = ways.filter(({ index }) => group.includes(index));
    const demands = await Promise.all(
      members.map(async (way) => ({ way, demand: await demandOf(way, canRun) })),
    );
    const [least, ...rest] = demands.toSorted((a, b) => a.demand - b.demand).map(({ way }) => way);
    if (!least || rest.length === 0) continue;
    joined.set(least, { ...least.offered, alternatives: rest.map(({ offered }) => offered) });
    rest.forEach((way) => others.add(way));
  }
  return ways.filter((way) => !others.has(way)).map((way) => joined.get(way) ?? way.offered);
}

/** By what has to be there: nothing for a remote server, a program that fetches packages, Docker. */
const COSTS: Readonly<Record<string, number>> = { npx: 2, uvx: 2, docker: 4, podman: 4 };
const PROGRAM_COST = 3;
const NEED_COST = 3;
const MISSING_COST = 100;

async function demandOf({ made: { plan }, offered }: Way, canRun: CanRun): Promise<number> {
  // Every value that is asked for is work; a sign-in is a click.
  const asked = offered.needs.length * NEED_COST + (plan.auth.kind === 'oauth' ? 1 : 0);
  if (plan.target.kind === 'remote') return asked;
  if (plan.target.kind === 'bundle') return asked + PROGRAM_COST;
  const { command } = plan.target;
  const cost = Object.hasOwn(COSTS, command) ? (COSTS[command] ?? PROGRAM_COST) : PROGRAM_COST;
  return asked + cost + ((await canRun(command)) ? 0 : MISSING_COST);
}
