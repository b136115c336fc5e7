import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Hub } from '../hub/hub.ts';

/** How often each tool was really called of late: what somebody uses comes a little earlier. */
export class Uses {
  readonly #hub: Pick<Hub, 'audit'>;
  readonly #clock: Clock;
  #counts: ReadonlyMap<string, number> = new Map();
  #readAt = -Infinity;

  constructor(hub: Pick<Hub, 'audit'>, clock: Clock) {
    this.#hub = hub;
    this.#clock = clock;
  }

  /** Answers from what is known; what is old is read anew for the next one. */
  readonly of = (ref: string): number => {
    const now = this.#clock.monotonic();
    if (now - this.#readAt > REFRESH_MS) {
      this.#readAt = now;
      ignore(this.#read(), 'without its history every tool counts the same');
    }
    return this.#counts.get(ref) ?? 0;
  };

  async #read(): Promise<void> {
    const counts = new Map<string, number>();
    const { records } = await this.#hub.audit.query({ limit: CALLS_READ });
    for (const { server, tool, outcome } of records) {
      const ref = `${server}/${tool}`;
      if (outcome === 'ok') counts.set(ref, (counts.get(ref) ?? 0) + 1);
    }
    this.#counts = counts;
  }
}

const REFRESH_MS = 5 * 60_000;
const CALLS_READ = 1_000;
