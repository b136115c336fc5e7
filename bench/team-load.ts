import { Agent, request } from 'node:http';

export interface Lateness {
  readonly calls: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

export type Ask = (n: number) => Promise<boolean>;

/** As many at once as there are lanes, each after the other. */
export async function closedLoop(
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
      if (!(await ask(n))) failures += 1;
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  return summary(times, failures, performance.now() - started);
}

/** Calls come at their own pace, whatever becomes of those before: lateness counts from when each was due. */
export async function openLoop(
  ask: Ask,
  options: { readonly perSecond: number; readonly ms: number },
): Promise<Lateness> {
  const times: number[] = [];
  const running: Promise<void>[] = [];
  let failures = 0;
  const timed = async (n: number, from: number): Promise<void> => {
    if (!(await ask(n))) failures += 1;
    times.push(performance.now() - from);
  };
  const count = Math.floor((options.perSecond * options.ms) / 1_000);
  const started = performance.now();
  for (let n = 0; n < count;) {
    const due = Math.min(count, Math.floor(((performance.now() - started) * options.perSecond) / 1_000) + 1);
    for (; n < due; n += 1) {
      const from = started + (n * 1_000) / options.perSecond;
      running.push(timed(n, from));
    }
    await new Promise((turn) => setTimeout(turn, 1));
  }
  await Promise.all(running);
  return summary(times, failures, performance.now() - started);
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

export interface Asked {
  readonly port: number;
  readonly host: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 512 });

/** True for an answer that `isGood` likes. */
export function send(
  { port, host, method, path, headers, body }: Asked,
  isGood: (text: string) => boolean,
): Promise<boolean> {
  return new Promise((resolve) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const outgoing = request(
      { port, host: '127.0.0.1', method, path, agent, headers: { host, ...headers, ...length } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve(answer.statusCode === 200 && isGood(text)));
        answer.on('error', () => resolve(false));
      },
    );
    outgoing.on('error', () => resolve(false));
    outgoing.end(body);
  });
}
