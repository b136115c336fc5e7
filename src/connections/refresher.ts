import type { Cancel } from '../base/clock.ts';
import { toPlugError } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import type { Bounds } from './limits.ts';

interface RefresherOptions extends Bounds {
  readonly refresh: () => Promise<void>;
  readonly logger: Logger;
  readonly server: string;
}

/** The first change notice refreshes at once, later ones at most once per interval. */
export class Refresher {
  readonly #options: RefresherOptions;
  #last = -Infinity;
  #timer: Cancel | undefined;
  #running = false;
  #again = false;

  constructor(options: RefresherOptions) {
    this.#options = options;
  }

  notice(): void {
    if (this.#timer) return;
    if (this.#running) {
      this.#again = true;
      return;
    }
    const { clock, limits } = this.#options;
    const wait = this.#last + limits.listRefreshMinMs - clock.monotonic();
    if (wait <= 0) return this.#run();
    this.#timer = clock.after(wait, () => {
      this.#timer = undefined;
      this.#run();
    });
  }

  stop(): void {
    this.#timer?.();
    this.#timer = undefined;
    this.#again = false;
  }

  #run(): void {
    this.#running = true;
    this.#last = this.#options.clock.monotonic();
    const { refresh, logger, server } = this.#options;
    void refresh()
      .catch((error: unknown) =>
        logger.warn('the manifest could not be refreshed', { server, error: toPlugError(error).message }),
      )
      .finally(() => {
        this.#running = false;
        if (!this.#again) return;
        this.#again = false;
        this.notice();
      });
  }
}
