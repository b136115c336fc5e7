import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';

/**
 * Spreads a crowd of starts, so that fifty servers do not fight for two cores at once. A slot is
 * given back after a moment even if its server still hangs: a dead server delays nobody for long.
 */
export class StartSlots {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(options: { readonly clock: Clock; readonly limits: Limits }) {
    this.#clock = options.clock;
    this.#limits = options.limits;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#limits.startsAtOnceMax) this.#taken += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
    };
    const cancel = this.#clock.after(this.#limits.startSlotMs, release);
    const result = work();
    ignore(
      result.finally(() => {
        cancel();
        release();
      }),
      'the caller sees the outcome of the work itself',
    );
    return result;
  }
}
