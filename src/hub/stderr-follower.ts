import type { Cancel, Clock } from '../base/clock.ts';
import type { Limits } from '../base/limits.ts';
import type { ServerOutput } from '../connections/open-session.ts';

export interface StderrFollowerOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly redactText: (text: string) => string;
  readonly tell: (line: string) => void;
}

/** Tells line by line what a starting server writes to stderr, as far as a person would read. */
export class StderrFollower {
  readonly #options: StderrFollowerOptions;
  #output: ServerOutput | undefined;
  #cancel: Cancel | undefined;
  #told = 0;
  #toldOfAll = 0;

  constructor(options: StderrFollowerOptions) {
    this.#options = options;
  }

  /** Of a second process the lines come after those of the first. */
  follow(output: ServerOutput): void {
    const { clock, limits } = this.#options;
    this.end();
    this.#output = output;
    this.#told = 0;
    this.#cancel = clock.every(limits.trialLogMs, () => this.#read(false));
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#read(true);
    this.#output = undefined;
  }

  /** The last line may be unfinished, and the one before it may hold half a key, which would not be recognized. */
  #read(all: boolean): void {
    const { limits, redactText, tell } = this.#options;
    const room = limits.trialLogLinesMax - this.#toldOfAll;
    if (!this.#output || room <= 0) return;
    const lines = this.#output.stderr(limits.trialLogLinesMax + 1);
    const fresh = lines.slice(this.#told, all ? undefined : -2);
    if (fresh.length === 0) return;
    this.#told += fresh.length;
    this.#toldOfAll += fresh.length;
    const shown = redactText(fresh.join('\n')).split('\n');
    for (const line of shown.slice(0, room)) tell(line);
    if (fresh.length >= room)
      tell(`… It writes more. No more than ${limits.trialLogLinesMax} lines are shown here.`);
  }
}
