import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Limits } from '../base/limits.ts';
import { basename } from 'node:path';
import type { ServerDefinition } from '../servers/definition.ts';

/**
 * Spreads a crowd of starts, so that fifty servers do not fight for two cores at once. A slot is
 * given back after a moment even if its server still hangs: a dead server delays nobody for long.
 */
export class StartSlots {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #waiting = new Set<() => void>();
  #taken = 0;

  constructor(options: { readonly clock: Clock; readonly limits: Limits }) {
    this.#clock = options.clock;
    this.#limits = options.limits;
  }

  /** Runs the work in its turn; whoever is aborted while waiting leaves the queue at once. */
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

  #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#taken < this.#limits.startsAtOnceMax) {
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

/**
 * How long a server may take to be ready. The very first start of a package that has to be
 * fetched takes as long as the network does: a limit made for programs would refuse it for good.
 */
export function startLimitMs(
  { timeouts, endpoint }: Pick<ServerDefinition, 'timeouts' | 'endpoint'>,
  { known, limits }: { readonly known: boolean; readonly limits: Limits },
): number {
  if (timeouts.startMs !== undefined) return timeouts.startMs;
  const fetches = endpoint.kind === 'stdio' && RUNNERS.has(nameOf(endpoint.command));
  return fetches && !known ? limits.firstStartTimeoutMs : limits.startTimeoutMs;
}

/** The same with the waits that a busy server may ask for on top, as often as one request is sent again. */
export function longestStartMs(startMs: number, { rateLimitRetriesMax }: Limits): number {
  return startMs * (1 + rateLimitRetriesMax);
}

/** Windows writes `npx.cmd` and backslashes. */
function nameOf(command: string): string {
  return basename(command.replaceAll('\\', '/')).replace(/\.(cmd|exe|bat)$/i, '');
}
