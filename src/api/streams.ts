import { Broadcast } from '../base/broadcast.ts';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import type { Hub } from '../hub/hub.ts';
import { eventStream } from './event-stream.ts';
import type { HostMessage } from './operations.ts';
import type { RemoteHosts } from './remote-hosts.ts';

/** Everything that happens, for as long as the reader stays. */
export function watchStream(options: {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): ReadableStream<Uint8Array> {
  return eventStream({
    ...options,
    write: async (sink, signal) => {
      for await (const event of options.hub.watch({ signal })) await sink.send('event', event);
    },
  });
}

/** What servers ask of one attached host. */
export function hostRequestStream(options: {
  readonly hosts: RemoteHosts;
  readonly id: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}): ReadableStream<Uint8Array> {
  // Known before the stream opens, so that an unknown host is a plain 404.
  options.hosts.check(options.id);
  return eventStream({
    ...options,
    write: async (sink, signal) => {
      const messages = new Broadcast<HostMessage>(limits.watchQueueMax);
      const reader = messages.read({ signal });
      options.hosts.listen(options.id, signal, (message) => messages.send(message));
      for await (const message of reader) await sink.send('message', message);
    },
  });
}
