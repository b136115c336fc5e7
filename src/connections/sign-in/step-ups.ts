import { PlugError } from '../../base/errors.ts';
import type { Limits } from '../../base/limits.ts';
import type { Challenge } from './challenge.ts';

/**
 * Counts how often a server was given the rights that it wanted. One that wants the same again and
 * again would send people to the browser for ever: after a few times its no is final.
 */
export class StepUps {
  readonly #counts = new Map<string, number>();
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** To be called when a person is about to be asked. */
  begin(server: string, key: string, challenge: Challenge | undefined): void {
    if (challenge?.kind !== 'scope') return;
    if (this.#isOver(key, challenge)) throw final(server, challenge);
    const id = idOf(key, challenge);
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  /** The error for a server that wants more: to be asked for, or for good. */
  errorFor(server: string, key: string, challenge: Challenge): PlugError {
    if (this.#isOver(key, challenge)) return final(server, challenge);
    const { scope } = challenge;
    return new PlugError('sign_in_needed', `${server} wants more rights for this${namesOf(challenge)}.`, {
      owner: 'you',
      server,
      next: `plug auth ${server}`,
      details: { httpStatus: 403, ...(scope ? { scope } : {}) },
    });
  }

  /** Whoever signed out starts anew. */
  forget(key: string): void {
    for (const id of this.#counts.keys()) if (id.startsWith(`${key}\n`)) this.#counts.delete(id);
  }

  #isOver(key: string, challenge: Challenge): boolean {
    const { stepUpsMax, stepUpScopesMax } = this.#limits;
    const count = this.#counts.get(idOf(key, challenge));
    return count === undefined ? this.#counts.size >= stepUpScopesMax : count >= stepUpsMax;
  }
}

function idOf(key: string, { scope = '' }: Challenge): string {
  return `${key}\n${scope.split(/\s+/).toSorted().join(' ')}`;
}

function final(server: string, challenge: Challenge): PlugError {
  return new PlugError(
    'denied',
    `${server} was given what it asked for${namesOf(challenge)}, and refuses this all the same.`,
    {
      owner: 'server',
      server,
      next: `Use another account, or start anew: plug auth logout ${server}`,
      details: { httpStatus: 403 },
    },
  );
}

function namesOf({ scope }: Challenge): string {
  return scope ? ` (${scope.slice(0, 200)})` : '';
}
