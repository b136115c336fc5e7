import { toPlugError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { httpStatusOf } from './failures.ts';
import type { OpenedSession } from './open-session.ts';

/** A session in use. */
export interface Live {
  readonly opened: OpenedSession;
  readonly since: number;
  /** Requests that run on it; a replaced session ends when the last of them has. */
  active: number;
}

/** HTTP 404 on a session means that the server forgot it (spec 2025-11-25, session management). */
export function isForgotten({ opened: { session } }: Live, error: unknown): boolean {
  return session.transport === 'streamable-http' && !session.modern && httpStatusOf(error) === 404;
}

/** Sessions and processes on their way out: nothing is let go of before it is over. */
export class Endings {
  readonly #options: { readonly server: string; readonly logger: Logger };
  readonly #leaving = new Set<Live>();
  readonly #ending = new Set<Promise<void>>();

  constructor(options: { readonly server: string; readonly logger: Logger }) {
    this.#options = options;
  }

  /** Resolves to what has to be waited for. */
  get all(): readonly Promise<void>[] {
    return [...this.#ending];
  }

  end(live: Live): void {
    const { logger, server } = this.#options;
    this.#leaving.delete(live);
    const ending = live.opened
      .close()
      .catch((error: unknown) =>
        logger.warn('a session did not end well', { server, error: toPlugError(error).message }),
      )
      .finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  /** Ends when its last request has: those may still be answered. */
  endWhenIdle(live: Live): void {
    this.#leaving.add(live);
    this.requestEnded(live);
  }

  requestEnded(live: Live): void {
    if (live.active === 0 && this.#leaving.has(live)) this.end(live);
  }

  endLeaving(): void {
    for (const live of this.#leaving) this.end(live);
  }
}
