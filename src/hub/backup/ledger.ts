import { messageOf } from '../../base/errors.ts';
import type { RestoredThing, RestoreOutcome } from '../maintenance.ts';

export interface Step {
  readonly thing: RestoredThing;
  /** `same`: it is here exactly so. `taken`: something else is here under its name. */
  readonly here: 'absent' | 'same' | 'taken';
  /** A sentence when it cannot be restored whatever is asked for. */
  readonly impossible?: string | undefined;
  readonly apply: () => Promise<void>;
}

export function hereOf<T>(known: T | undefined, isSame: (known: T) => boolean): Step['here'] {
  if (known === undefined) return 'absent';
  return isSame(known) ? 'same' : 'taken';
}

export class Ledger {
  readonly #replace: boolean;
  readonly #mode: 'check' | 'restore';
  readonly outcome: { [Kind in 'restored' | 'kept' | 'failed']: RestoreOutcome[Kind][number][] } = {
    restored: [],
    kept: [],
    failed: [],
  };
  /** Servers that differ from those of the backup: grants and settings of these are not for them. */
  readonly #others = new Set<string>();

  constructor(replace: boolean, mode: 'check' | 'restore') {
    this.#replace = replace;
    this.#mode = mode;
  }

  has(kind: RestoredThing['kind'], name: string): boolean {
    return this.outcome.restored.some((thing) => thing.kind === kind && thing.name === name);
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) await this.#one(step);
  }

  async #one({ thing, here, impossible, apply }: Step): Promise<void> {
    const { restored, kept, failed } = this.outcome;
    const stays = here === 'same' || (here === 'taken' && !this.#replace) || this.#isOfAnother(thing);
    if (thing.kind === 'server' && here !== 'same' && (stays || impossible !== undefined)) {
      this.#others.add(thing.name);
    }
    if (stays) kept.push(thing);
    else if (impossible !== undefined) failed.push({ ...thing, reason: impossible });
    else {
      try {
        if (this.#mode === 'restore') await apply();
        restored.push(thing);
      } catch (error) {
        failed.push({ ...thing, reason: messageOf(error) });
      }
    }
  }

  #isOfAnother({ kind, name }: RestoredThing): boolean {
    if (!OF_SERVERS.has(kind)) return false;
    return [...this.#others].some(
      (id) => name === id || OF_SERVER.some((between) => name.startsWith(id + between)),
    );
  }
}

/** Kinds whose names begin with a server's; accounts end with it, and do no harm. */
const OF_SERVERS: ReadonlySet<RestoredThing['kind']> = new Set(['setting', 'trust', 'grant', 'pin', 'tool']);
const OF_SERVER = ['/', ' '] as const;
