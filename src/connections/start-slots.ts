import { ignore } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import { basename } from 'node:path';
import type { ServerDefinition } from '../servers/definition.ts';
import type { Bounds } from './limits.ts';

/** Limits starts at once. A slot is freed after a moment even if its server still hangs. */
export class StartSlots {
  readonly #options: Bounds;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: Bounds) {
    this.#options = options;
  }

  /** An abort while waiting leaves the queue at once. */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    await this.#enter(signal);
    let held = true;
    const release = (): void => {
      if (!held) return;
      held = false;
      const [next] = this.#waiting;
      if (next) next();
      else this.#taken -= 1;
    };
    const { clock, limits } = this.#options;
    const cancel = clock.after(limits.startSlotMs, release);
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

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#options.limits.startsAtOnceMax) {
      this.#taken += 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const done = (): void => {
        this.#waiting.delete(enter);
        signal.removeEventListener('abort', leave);
      };
      const enter = (): void => {
        done();
        resolve(); // the slot is handed over, so the count stays
      };
      const leave = (): void => {
        done();
        reject(signal.reason);
      };
      this.#waiting.add(enter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

/** Programs that fetch a package before they run it. */
const RUNNERS = new Set(['npx', 'bunx', 'pnpm', 'yarn', 'uvx', 'uv', 'pipx', 'docker', 'podman', 'dnx']);

/** How long a server may take to be ready: its very first start may have to fetch a package. */
export function startLimitMs(
  { timeouts, endpoint }: Pick<ServerDefinition, 'timeouts' | 'endpoint'>,
  { known, limits }: { readonly known: boolean; readonly limits: Limits },
): number {
  if (timeouts.startMs !== undefined) return timeouts.startMs;
  // Windows writes `npx.cmd` and backslashes.
  const command = endpoint.kind === 'stdio' ? basename(endpoint.command.replaceAll('\\', '/')) : '';
  const fetches = RUNNERS.has(command.replace(/\.(cmd|exe|bat)$/i, ''));
  return fetches && !known ? limits.firstStartTimeoutMs : limits.startTimeoutMs;
}

/** With the waits that a busy server may ask for on top. */
export function longestStartMs(startMs: number, { rateLimitRetriesMax }: Limits): number {
  return startMs * (1 + rateLimitRetriesMax);
}
