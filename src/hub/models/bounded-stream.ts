import type { Clock } from '../../base/clock.ts';
import { ignore, PlugError } from '../../base/errors.ts';
import { modelLimits } from './providers.ts';

interface BoundedOptions {
  readonly place: string;
  readonly clock: Clock;
}

/** Gives up a stream that falls silent or never ends. Whole answers were bounded when they were read. */
export function boundedStream(response: Response, { place, clock }: BoundedOptions): Response {
  if (response.body === null || !isEventStream(response)) return response;
  const reader = response.body.getReader();
  let bytes = 0;
  let failure: PlugError | undefined;
  const fail = (error: PlugError): void => {
    failure = error;
    // A read that waits ends with this.
    ignore(reader.cancel(error), 'the stream is given up');
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const silent = clock.after(modelLimits.idleMs, () => fail(tooSilent(place)));
        try {
          const { value, done } = await reader.read();
          bytes += value?.length ?? 0;
          if (bytes > modelLimits.answerBytesMax) fail(tooLong(place));
          if (failure) controller.error(failure);
          else if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          controller.error(failure ?? error);
        } finally {
          silent();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(stream, { status, statusText, headers });
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') ?? false;
}

function tooSilent(place: string): PlugError {
  const seconds = modelLimits.idleMs / 1_000;
  return new PlugError('call_timeout', `The model at ${place} sent nothing for ${seconds} s.`, {
    owner: 'server',
    details: { host: place },
  });
}

function tooLong(place: string): PlugError {
  return new PlugError('too_large', `The model at ${place} sent an answer that is too long.`, {
    owner: 'server',
    details: { host: place, bytesMax: modelLimits.answerBytesMax },
  });
}
