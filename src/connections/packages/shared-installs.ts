import { ignore } from '../../base/errors.ts';
import type { WantedPackage } from './packaged-run.ts';
import type { InstalledPackage } from './record.ts';

export interface InstallRequest {
  readonly wanted: WantedPackage;
  /** For whom, in what is told. */
  readonly server: string;
  /** A person has said that install scripts may run. */
  readonly scripts: boolean;
  /** Replaces what is there. */
  readonly again: boolean;
  readonly tell?: ((step: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export type RunInstall = (
  request: InstallRequest & { readonly tell: (step: string) => void; readonly signal: AbortSignal },
) => Promise<InstalledPackage>;

interface UnderWay {
  readonly installed: Promise<InstalledPackage>;
  readonly abort: AbortController;
  readonly tellers: Set<(step: string) => void>;
  waiting: number;
}

/** One installation for all who want the same, and only so many at once. */
export class SharedInstalls {
  readonly #atOnceMax: number;
  readonly #run: RunInstall;
  readonly #underWay = new Map<string, UnderWay>();
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(atOnceMax: number, run: RunInstall) {
    this.#atOnceMax = atOnceMax;
    this.#run = run;
  }

  /** An abort ends the wait of this one; the installation ends when nobody waits for it any more. */
  async run(request: InstallRequest): Promise<InstalledPackage> {
    const { wanted, scripts, again, tell, signal } = request;
    signal?.throwIfAborted();
    const key = JSON.stringify([wanted, scripts, again]);
    const shared = this.#underWay.get(key) ?? this.#begin(key, request);
    shared.waiting += 1;
    if (tell) shared.tellers.add(tell);
    const left = Promise.withResolvers<never>();
    const leave = (): void => left.reject(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([shared.installed, left.promise]);
    } finally {
      signal?.removeEventListener('abort', leave);
      if (tell) shared.tellers.delete(tell);
      shared.waiting -= 1;
      if (shared.waiting === 0) {
        shared.abort.abort(signal?.reason);
        // The last one leaves when npm has ended and nothing is left of it.
        await Promise.allSettled([shared.installed]);
      }
    }
  }

  #begin(key: string, request: InstallRequest): UnderWay {
    const abort = new AbortController();
    const tellers: UnderWay['tellers'] = new Set();
    const tell = (step: string): void => tellers.forEach((one) => one(step));
    const work = async (): Promise<InstalledPackage> => {
      await this.#enter();
      try {
        abort.signal.throwIfAborted();
        return await this.#run({ ...request, tell, signal: abort.signal });
      } finally {
        this.#leave();
        this.#underWay.delete(key);
      }
    };
    const installed = work();
    ignore(installed, 'everybody who waits sees how it ends');
    const shared = { installed, abort, tellers, waiting: 0 };
    this.#underWay.set(key, shared);
    return shared;
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#atOnceMax) {
      this.#running += 1;
      return;
    }
    await new Promise<void>((resolve) => this.#queue.push(resolve)); // the place is handed over
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#running -= 1;
  }
}
