import { connect, type Socket } from 'node:net';

export interface Lateness {
  readonly calls: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** The nth request, as bytes to a port, and what its answer has to hold. */
export type Ask = (n: number) => {
  readonly port: number;
  readonly request: string;
  readonly wanted: string;
};

/** Sends requests by hand, since a client library would take more of the processor than the hub. */
export class Generator implements Disposable {
  readonly #idle = new Map<number, Wire[]>();
  /** What failed, by its beginning: shown beside the figures. */
  readonly problems = new Map<string, number>();
  /** Kept connections are used again: many more of them than lanes are a fault of the hub. */
  connections = 0;

  /** As many at once as there are lanes, each after the other. */
  async closedLoop(
    ask: Ask,
    options: { readonly calls: number; readonly atOnce: number },
  ): Promise<Lateness> {
    const times: number[] = [];
    let failures = 0;
    let next = 0;
    const started = performance.now();
    const work = async (): Promise<void> => {
      for (let n = next++; n < options.calls; n = next++) {
        const from = performance.now();
        if (!(await this.#send(ask, n))) failures += 1;
        times.push(performance.now() - from);
      }
    };
    await Promise.all(Array.from({ length: options.atOnce }, work));
    return summary(times, failures, performance.now() - started);
  }

  /** Calls come at their own pace, whatever becomes of those before: lateness counts from when each was due. */
  async openLoop(ask: Ask, options: { readonly perSecond: number; readonly ms: number }): Promise<Lateness> {
    const times: number[] = [];
    const running: Promise<void>[] = [];
    let failures = 0;
    const timed = async (n: number, from: number): Promise<void> => {
      if (!(await this.#send(ask, n))) failures += 1;
      times.push(performance.now() - from);
    };
    const count = Math.floor((options.perSecond * options.ms) / 1_000);
    const started = performance.now();
    for (let n = 0; n < count;) {
      const due = Math.min(
        count,
        Math.floor(((performance.now() - started) * options.perSecond) / 1_000) + 1,
      );
      for (; n < due; n += 1) {
        const from = started + (n * 1_000) / options.perSecond;
        running.push(timed(n, from));
      }
      await new Promise((turn) => setTimeout(turn, 1));
    }
    await Promise.all(running);
    return summary(times, failures, performance.now() - started);
  }

  [Symbol.dispose](): void {
    for (const wires of this.#idle.values()) for (const wire of wires) wire.close();
  }

  /** False for any answer but the wanted one. */
  async #send(ask: Ask, n: number): Promise<boolean> {
    const { port, request, wanted } = ask(n);
    const idle = this.#idle.get(port) ?? [];
    this.#idle.set(port, idle);
    // A server ends connections that nobody has used for a while.
    let wire = idle.pop();
    while (wire?.isOver) wire = idle.pop();
    if (!wire) this.connections += 1;
    wire ??= new Wire(port);
    try {
      const answer = await wire.send(request);
      idle.push(wire);
      if (answer.startsWith('HTTP/1.1 200') && answer.includes(wanted)) return true;
      this.#failed(answer);
    } catch (error) {
      wire.close();
      this.#failed(String(error));
    }
    return false;
  }

  #failed(what: string): void {
    const [status = ''] = what.split('\r\n', 1);
    const body = what.slice(what.indexOf('\r\n\r\n') + 1).trim();
    const problem = `${status} ${body.replace(/^.*?"(message|text)":/s, '').slice(0, 120)}`;
    this.problems.set(problem, (this.problems.get(problem) ?? 0) + 1);
  }
}

/** One kept connection, with one request at a time. */
class Wire {
  readonly #socket: Socket;
  #text = '';
  #answered: PromiseWithResolvers<string> | undefined;

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (chunk: string) => {
      this.#text += chunk;
      if (!isWhole(this.#text)) return;
      this.#answered?.resolve(this.#text);
      this.#text = '';
    });
    this.#socket.on('error', (error) => this.#answered?.reject(error));
    this.#socket.on('close', () => this.#answered?.reject(new Error('the connection ended')));
  }

  get isOver(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  send(request: string): Promise<string> {
    this.#answered = Promise.withResolvers();
    this.#socket.write(request);
    return this.#answered.promise;
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(text: string): boolean {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return false;
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(text.slice(0, head + 2))?.[1];
  return length === undefined ? text.endsWith('\r\n0\r\n\r\n') : text.length >= head + 4 + Number(length);
}

function summary(times: readonly number[], failures: number, wallMs: number): Lateness {
  const sorted = Float64Array.from(times).toSorted();
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return {
    calls: times.length,
    failures,
    perSecond: (times.length / wallMs) * 1_000,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    p99Ms: at(0.99),
  };
}
