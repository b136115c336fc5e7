import type { z as zod } from 'zod';
import { PlugError } from '../../base/errors.ts';
import type { Zod } from '../../hub/operations/operation.ts';
import type { TeamRole } from '../../hub/principal.ts';
import { teamLimits } from '../limits.ts';
import type { Person } from '../people.ts';
import type { Team } from '../team.ts';

/** A request about the team itself: who may make it, what it takes, what it does and answers. */
export interface TeamOperation<In = unknown, Out = unknown> {
  readonly roles: readonly TeamRole[];
  readonly summary: string;
  /** Fields of path, query and body together, as in the operations of the hub. */
  readonly input: (z: Zod) => zod.ZodType;
  // A method, so that rows of different inputs fit into one table: each is given what its schema let through.
  run(asked: Asked<In>): Promise<Out>;
}

export interface Asked<In = unknown> {
  readonly team: Team;
  readonly person: Person;
  readonly input: In;
}

/** A row of the table. The type of its input is that of its schema. */
export function teamOperation<Schema extends zod.ZodType = zod.ZodObject<NoFields>, Out = unknown>(
  roles: readonly TeamRole[],
  summary: string,
  row: {
    readonly input?: (z: Zod) => Schema;
    readonly run: (asked: Asked<zod.output<Schema>>) => Promise<Out>;
  },
): TeamOperation<zod.output<Schema>, Out> {
  const { input = (z: Zod) => z.strictObject({}), run } = row;
  return { roles, summary, input, run };
}

// oxlint-disable-next-line typescript/no-generated-empty-object-type -- no fields are exactly that
type NoFields = Record<never, never>;

export const ALL: readonly TeamRole[] = ['owner', 'admin', 'member', 'auditor'];
export const ADMINS: readonly TeamRole[] = ['owner', 'admin'];
export const OVERSEERS: readonly TeamRole[] = ['owner', 'admin', 'auditor'];
/** Those who call tools. */
export const CALLERS: readonly TeamRole[] = ['owner', 'admin', 'member'];

/** Something of the team’s; the ids of apps are addresses. */
export const id = (z: Zod) => z.string().min(1).max(1_024);
export const one = (z: Zod) => z.strictObject({ id: id(z) });
export const shortText = (z: Zod) => z.string().min(1).max(teamLimits.nameCharsMax);
export const named = (z: Zod) => z.strictObject({ name: shortText(z) });

export function notYours(): PlugError {
  const remedy = 'Ask an owner of the team.';
  return new PlugError('denied', 'Your role doesn’t allow this.', { owner: 'you', remedy });
}

export function missing(what: string): PlugError {
  return new PlugError('not_found', `There is no such ${what}.`, { owner: 'you' });
}
