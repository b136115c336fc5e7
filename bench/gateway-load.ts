/** What a run of calls told. */
export interface Load {
  readonly calls: number;
  readonly wallMs: number;
  readonly p50Ms: number;
}

/** One line to a gateway, over which one call at a time is made. */
export interface Lane {
  /** Resolves when the right answer is back; anything else is an error, never a fast call. */
  call(id: number): Promise<void>;
}

export const TEXT = 'The quick brown fox jumps over the lazy dog.';

/** Ids of one width, so that the text of one is never the beginning of another. */
let lastId = 1_000_000_000;

/** Keeps every lane busy until the time is over or the calls are made, whichever is sooner. */
export async function drive(
  lanes: readonly Lane[],
  until: { readonly ms?: number; readonly calls?: number },
): Promise<Load> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + (until.ms ?? Number.POSITIVE_INFINITY);
  let left = until.calls ?? Number.POSITIVE_INFINITY;
  await Promise.all(
    lanes.map(async (lane) => {
      let now = performance.now();
      while (now < end && left > 0) {
        left -= 1;
        lastId += 1;
        await lane.call(lastId);
        const done = performance.now();
        times.push(done - now);
        now = done;
      }
    }),
  );
  const wallMs = performance.now() - started;
  const sorted = Float64Array.from(times).toSorted();
  return { calls: times.length, wallMs, p50Ms: sorted[sorted.length >> 1] ?? Number.NaN };
}

/** The request of a host of 2026-07-28, which says everything anew each time. */
export function modernCall(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"${TEXT}"},"_meta":${META}}}`;
}

const META = JSON.stringify({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** The same of an older host, in a session. */
export function legacyCall(id: number): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":{"text":"${TEXT}"}}}`;
}

/** Whether this is the echo of that call. */
export function isEcho(answer: string, id: number): boolean {
  return answer.includes(`"id":${id}`) && answer.includes(TEXT) && !answer.includes('"isError":true');
}
