import type { Duplex, Readable, Writable } from 'node:stream';
import { backoffMs } from '../../base/backoff.ts';
import type { Clock } from '../../base/clock.ts';
import { ignore, toPlugError, type PlugError } from '../../base/errors.ts';
import { guarded } from '../../base/faults.ts';
import type { Ids } from '../../base/ids.ts';
import { rpcCodes } from '../../gateway/rpc.ts';
import { HostMemory } from './host-memory.ts';
import { HubLink } from './hub-link.ts';
import { bridgeLimits, type BridgeLimits } from './limits.ts';
import { LineRelay } from './line-relay.ts';

export interface BridgeOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** Throws `hub_unavailable` when no hub runs. */
  readonly open: (signal: AbortSignal) => Promise<Duplex>;
  readonly start: (signal: AbortSignal) => Promise<void>;
  readonly say: (sentence: string) => void;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signal: AbortSignal;
  readonly limits?: Partial<BridgeLimits>;
}

/** Runs until the host ends. Throws without a first hub; a lost one is replaced, running requests fail. */
export async function runBridge(options: BridgeOptions): Promise<void> {
  await new Bridge(options).run();
}

class Bridge {
  readonly #options: BridgeOptions;
  readonly #limits: BridgeLimits;
  readonly #memory: HostMemory;
  readonly #toHub: LineRelay;
  readonly #finished = Promise.withResolvers<void>();
  readonly #stop = new AbortController();
  /** Set while messages flow. */
  #link: HubLink | undefined;
  #held: Buffer[] = [];
  #wanted = Promise.withResolvers<void>();
  #inputEnded = false;

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#limits = { ...bridgeLimits, ...options.limits };
    this.#memory = new HostMemory(this.#limits);
    this.#toHub = new LineRelay({
      limits: this.#limits,
      onLine: (frames, line, cut) => {
        for (const frame of frames) {
          if (!cut) this.#memory.hostSaid(frame, line);
          // Its start went to a hub that is gone, and no other will answer it.
          else if (frame.id !== undefined) this.#options.output.write(failedLine(frame.id, LOST));
        }
        return true;
      },
      onBytes: (bytes) => {
        if (this.#link?.stream.write(bytes) === false) this.#options.input.pause();
      },
    });
  }

  async run(): Promise<void> {
    const { input, output, signal } = this.#options;
    const finish = (): void => this.#finish();
    signal.addEventListener('abort', finish, { once: true });
    output.once('close', finish).on('error', finish);
    output.on('drain', () => this.#link?.stream.resume());
    const hear = (chunk: Buffer): void => this.#hear(chunk);
    const endInput = (): void => this.#endInput();
    try {
      await this.#begin();
      input.on('data', guarded('a message of the host', hear, finish));
      input.once('end', guarded('the end of the host', endInput, finish)).on('error', endInput);
      await this.#finished.promise;
    } finally {
      signal.removeEventListener('abort', finish);
      this.#finish();
    }
  }

  /** The first hub: the caller is told at once when there is none. */
  async #begin(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await this.#connect(attempt > 1);
        return;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        const failure = toPlugError(error);
        if (failure.code !== 'hub_unavailable' || attempt > this.#limits.startsMax) throw failure;
        if (attempt > 1) await this.#pause(attempt);
      }
    }
  }

  /** The next hub. It may have been stopped on purpose: it is started only when the host sends something. */
  async #regain(): Promise<void> {
    for (let attempt = 0, starts = 0; !this.#stop.signal.aborted; attempt += 1) {
      const start = this.#held.length > 0;
      try {
        await this.#connect(start);
        return;
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        if (start) starts += 1;
        if (starts >= this.#limits.startsMax) {
          this.#refuseHeld(toPlugError(error));
          starts = 0;
        }
      }
      await this.#pause(attempt);
    }
  }

  async #connect(start: boolean): Promise<void> {
    const { open, ids, clock, output } = this.#options;
    const { signal } = this.#stop;
    if (start) await this.#options.start(signal);
    const stream = await open(signal);
    const link: HubLink = new HubLink({
      stream,
      limits: this.#limits,
      clock,
      ids,
      onFrame: (frame) => this.#memory.hubSaid(frame),
      onBytes: (bytes) => output.write(bytes),
      onDrain: () => this.#options.input.resume(),
      onLost: (midLine) => this.#lose(link, midLine),
    });
    try {
      await link.greet(this.#memory.session);
    } catch (error) {
      link.destroy();
      throw error;
    }
    for (const line of this.#memory.linesToRepeat()) stream.write(line);
    this.#link = link;
    for (const chunk of this.#takeHeld()) this.#toHub.push(chunk);
    if (this.#inputEnded) this.#endInput();
    else this.#options.input.resume();
  }

  #hear(chunk: Buffer): void {
    if (this.#link) return this.#toHub.push(chunk);
    this.#held.push(chunk);
    this.#options.input.pause();
    this.#wanted.resolve();
  }

  #takeHeld(): readonly Buffer[] {
    const held = this.#held;
    this.#held = [];
    this.#wanted = Promise.withResolvers<void>();
    return held;
  }

  #lose(link: HubLink, midLine: boolean): void {
    // A link that was never ours has failed its greeting.
    if (this.#link !== link) return;
    this.#link = undefined;
    if (this.#inputEnded) return this.#finish();
    // An unfinished line must not swallow the next one.
    if (midLine) this.#options.output.write('\n');
    this.#toHub.cutLine();
    this.#answerLost(LOST, false);
    this.#options.say('The hub stopped. It starts again when the host needs it.');
    this.#options.input.resume();
    this.#regain().catch((error: unknown) => this.#finished.reject(error as Error));
  }

  #answerLost(why: string, all: boolean): void {
    const { ids, questions } = this.#memory.takeLost(all);
    const lines = [...questions.map((id) => cancelledLine(id, why)), ...ids.map((id) => failedLine(id, why))];
    if (lines.length > 0) this.#options.output.write(lines.join(''));
  }

  /** No hub starts: everything the host asked is answered with the reason. */
  #refuseHeld({ message, next }: PlugError): void {
    const why = next === undefined ? message : `${message} Next: ${next}`;
    this.#options.say(why);
    for (const chunk of this.#takeHeld()) this.#toHub.push(chunk);
    this.#answerLost(why, true);
    if (this.#inputEnded) this.#finish();
    else this.#options.input.resume();
  }

  #endInput(): void {
    this.#inputEnded = true;
    if (this.#link) {
      this.#toHub.end();
      this.#link.stream.end(); // the host is still answered
      this.#options.clock.after(this.#limits.lastAnswersMs, () => this.#finish());
    } else if (this.#held.length === 0) this.#finish();
  }

  /** Waits before the next try, at most until the host sends something. */
  async #pause(attempt: number): Promise<void> {
    const { clock, ids } = this.#options;
    const { retryBaseMs: baseMs, retryMaxMs: maxMs } = this.#limits;
    const slept = clock.sleep(backoffMs({ attempt, baseMs, maxMs, ids }), this.#stop.signal);
    ignore(slept, 'the bridge has ended');
    const waits = this.#held.length > 0 ? [slept] : [slept, this.#wanted.promise];
    await Promise.race(waits).catch(() => undefined);
  }

  #finish(): void {
    this.#stop.abort(new Error('The bridge has ended.'));
    this.#link?.destroy();
    this.#link = undefined;
    this.#options.input.destroy();
    this.#finished.resolve();
  }
}

const LOST = 'The hub restarted while this ran; call again.';

/** The id is JSON text already. */
function failedLine(id: string, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: rpcCodes.internalError, message })}}\n`;
}

/** Tells the host that the hub no longer waits for its answer. */
function cancelledLine(id: string, reason: string): string {
  const rest = JSON.stringify(reason);
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":${rest}}}\n`;
}
