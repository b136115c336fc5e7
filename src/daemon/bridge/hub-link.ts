import type { Duplex } from 'node:stream';
import type { Clock } from '../../base/clock.ts';
import { ignore, PlugError } from '../../base/errors.ts';
import { guarded } from '../../base/faults.ts';
import type { Ids } from '../../base/ids.ts';
import { isObject } from '../../base/json.ts';
import type { Frame } from './frame-scanner.ts';
import { INITIALIZED_LINE, type LegacySession } from './host-memory.ts';
import type { BridgeLimits } from './limits.ts';
import { LineRelay } from './line-relay.ts';

export interface HubLinkOptions {
  readonly stream: Duplex;
  readonly limits: BridgeLimits;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onFrame: (frame: Frame) => void;
  /** False when the host must drain first. */
  readonly onBytes: (bytes: Buffer) => boolean;
  readonly onDrain: () => void;
  /** The hub has ended the stream, perhaps in the middle of a line. */
  readonly onLost: (midLine: boolean) => void;
}

export class HubLink {
  readonly #options: HubLinkOptions;
  readonly stream: Duplex;
  readonly #toHost: LineRelay;
  /** The id of reopening the host's session: its answer is not for the host. */
  readonly #againId: string;
  #again = Promise.withResolvers<Buffer>();
  /** Repeated requests whose answers are not for the host either, by id as written. */
  readonly #repeated = new Set<string>();
  #ended = false;

  constructor(options: HubLinkOptions) {
    this.#options = options;
    this.stream = options.stream;
    this.#againId = options.ids.next('plug:again');
    this.#toHost = new LineRelay({
      limits: options.limits,
      onLine: (frames, line) => this.#hubSaid(frames, line),
      onBytes: (bytes) => {
        if (!options.onBytes(bytes)) this.stream.pause();
      },
    });
    const read = (chunk: Buffer): void => this.#toHost.push(chunk);
    const guardedRead = guarded('a message of the hub', read, () => this.stream.destroy());
    this.stream.on('data', guardedRead);
    this.stream.on('drain', () => options.onDrain());
    this.stream.on('error', () => this.stream.destroy());
    this.stream.once('close', () => {
      this.#again.reject(lost());
      if (!this.#ended) options.onLost(this.#toHost.isMidLine);
    });
    ignore(this.#again.promise, 'the stream may end without a greeting');
  }

  /** Reopens the session that a legacy host had with the previous hub; the host does not notice. */
  async greet(session: LegacySession | undefined): Promise<void> {
    if (this.stream.destroyed) throw lost();
    this.stream.resume();
    if (!session) return;
    const request = { jsonrpc: '2.0', id: this.#againId, method: 'initialize', params: session.params };
    this.stream.write(`${JSON.stringify(request)}\n`);
    const { clock, limits } = this.#options;
    const cancelWait = clock.after(limits.openMs, () => this.#again.reject(lost()));
    try {
      const answer: unknown = JSON.parse((await this.#again.promise).toString('utf8'));
      if (isObject(answer) && isObject(answer['error'])) throw refused(answer['error']['message']);
    } finally {
      cancelWait();
    }
    if (session.initialized) this.stream.write(INITIALIZED_LINE);
    this.#repeat(session.desired);
  }

  /** Not awaited: a subscription may have to start its server, and the host's requests need not wait. */
  #repeat(requests: LegacySession['desired']): void {
    const lines = requests.map((request, index) => {
      const id = `${this.#againId}:${index}`;
      this.#repeated.add(JSON.stringify(id));
      return `${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`;
    });
    if (lines.length > 0) this.stream.write(lines.join(''));
  }

  destroy(): void {
    this.#ended = true;
    this.stream.destroy();
  }

  #hubSaid(frames: readonly Frame[], line: Buffer | undefined): boolean {
    // The hub sends blank lines to check whether we are still there.
    if (line?.length === 0) return false;
    for (const frame of frames) {
      if (frame.id === `"${this.#againId}"` && line) {
        this.#again.resolve(line);
        return false;
      }
      if (frame.id !== undefined && this.#repeated.delete(frame.id)) return false;
      this.#options.onFrame(frame);
    }
    return true;
  }
}

function lost(): PlugError {
  return new PlugError('hub_unavailable', 'The hub stopped.', {
    owner: 'plugboard',
    remedy: { do: 'start-hub' },
  });
}

function refused(message: unknown): PlugError {
  const why = typeof message === 'string' ? message : 'It did not say why.';
  return new PlugError('unavailable', `The hub doesn’t accept the host again: ${why}`, {
    owner: 'plugboard',
    remedy: 'Restart the host.',
  });
}
