import type { Clock } from '../../base/clock.ts';
import { Line, type Place } from '../../base/line.ts';

/** Something that shows a sign of life from time to time while it waits. */
export interface Beating {
  beat(): void;
}

/** One timer for all answers that are under way: most of them end long before its first beat. */
export class Heartbeats {
  readonly #beating = new Line<Beating>();
  readonly #stop: () => void;

  constructor(clock: Clock, everyMs: number) {
    this.#stop = clock.every(everyMs, () => {
      for (const one of this.#beating) one.beat();
    });
  }

  add(one: Beating): Place<Beating> {
    return this.#beating.add(one);
  }

  delete(place: Place<Beating>): void {
    this.#beating.delete(place);
  }

  close(): void {
    this.#stop();
    this.#beating.clear();
  }
}
