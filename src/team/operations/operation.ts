import { PlugError } from '../../base/errors.ts';
import type { TeamRole } from '../../hub/principal.ts';
import type { Person } from '../people.ts';
import type { Input } from '../requests.ts';
import type { Team } from '../team.ts';

/** A request about the team itself: who may make it, and what it does. */
export interface TeamOperation {
  readonly roles: readonly TeamRole[];
  readonly run: (asked: Asked) => Promise<unknown>;
}

export interface Asked {
  readonly team: Team;
  readonly person: Person;
  readonly input: Input;
  readonly id: string;
  readonly query: URLSearchParams;
}

export const ALL: readonly TeamRole[] = ['owner', 'admin', 'member', 'auditor'];
export const ADMINS: readonly TeamRole[] = ['owner', 'admin'];
export const OVERSEERS: readonly TeamRole[] = ['owner', 'admin', 'auditor'];
/** Those who call tools. */
export const CALLERS: readonly TeamRole[] = ['owner', 'admin', 'member'];

export function notYours(): PlugError {
  const remedy = 'Ask an owner of the team.';
  return new PlugError('denied', 'Your role doesn’t allow this.', { owner: 'you', remedy });
}

export function missing(what: string): PlugError {
  return new PlugError('not_found', `There is no such ${what}.`, { owner: 'you' });
}
