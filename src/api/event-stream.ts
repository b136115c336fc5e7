import type { Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import { ALWAYS } from './answer.ts';

export interface EventSink {
  /** Resolves when the reader has room again: a slow reader slows the writer down. */
  send(event: string, data: unknown): Promise<void>;
  /** Drops the event when the reader is behind: for progress, where only the latest counts. */
  offer(event: string, data: unknown): void;
}

/** A text/event-stream that `write` fills until it returns, the reader goes, or `signal` aborts. */
export function answerEvents(options: {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly write: (sink: EventSink, signal: AbortSignal) => Promise<void>;
}): Response {
  const gone = new AbortController();
  const signal = AbortSignal.any([options.signal, gone.signal]);
  const encoder = new TextEncoder();
  let wake = (): void => undefined;

  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const put = (text: string): void => {
      if (!signal.aborted) controller.enqueue(encoder.encode(text));
    };
    const full = (): boolean => (controller.desiredSize ?? 0) <= 0;
    const sink: EventSink = {
      send: async (event, data) => {
        put(frame(event, data));
        if (full() && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
      },
      offer: (event, data) => {
        if (!full()) put(frame(event, data));
      },
    };
    // A comment makes the headers leave at once, and shows later that the peer is still there.
    put(': open\n\n');
    const stopHeartbeat = options.clock.every(limits.apiHeartbeatMs, () => {
      if (!full()) put(': still here\n\n');
    });
    signal.addEventListener('abort', () => wake(), { once: true });
    const written = options.write(sink, signal).finally(() => {
      stopHeartbeat();
      if (!gone.signal.aborted) controller.close();
    });
    ignore(written, 'the writer tells its failure by an event, and a reader that has gone needs none');
  };

  const body = new ReadableStream<Uint8Array>(
    { start, pull: () => wake(), cancel: () => gone.abort(new Error('the reader has gone')) },
    new ByteLengthQueuingStrategy({ highWaterMark: limits.apiStreamBufferBytes }),
  );
  return new Response(body, { headers: { ...ALWAYS, 'content-type': 'text/event-stream' } });
}

/** JSON has no line breaks, so `data` is always one line. */
function frame(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}
