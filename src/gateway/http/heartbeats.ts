import type { Clock } from '../../base/clock.ts';

/** Something that shows a sign of life from time to time while it waits. */
export interface Beating {
  beat(): void;
}

/** One timer for all answers that are under way: most of them end long before its first beat. */
export class Heartbeats {
  readonly #beating = new Set<Beating>();
  readonly #stop: () => void;

  constructor(clock: Clock, everyMs: number) {
    this.#stop = clock.every(everyMs, () => {
      for (const one of this.#beating) one.beat();
    });
  }

  add(one: Beating): void {
    this.#beating.add(one);
  }

  delete(one: Beating): void {
    this.#beating.delete(one);
  }

  close(): void {
    this.#stop();
    this.#beating.clear();
  }
}
