import { Broadcast } from '../../../src/base/broadcast.ts';
import type { Hub, HubEvent } from './hub-context.tsx';

/** What the tab with the stream tells the others. */
type Message =
  | { readonly kind: 'event'; readonly event: HubEvent }
  /** The stream broke, and is being opened again. */
  | { readonly kind: 'break' }
  /** The stream is gone for good. */
  | { readonly kind: 'end' };

interface EventsOptions {
  readonly hub: Hub;
  readonly signal: AbortSignal;
  /** The tab with the stream has lost it for the moment. */
  readonly onBreak: () => void;
}

/**
 * The hub's events for all tabs of this browser over one stream: a browser keeps six connections to one
 * address, so that with a stream for each tab the seventh would never load. One tab holds a lock and
 * reads the stream; the others are told, and one of them takes over when it closes.
 * The promise resolves once every later event will be heard; it fails when the hub cannot be reached.
 */
export async function openEvents(options: EventsOptions): Promise<AsyncIterable<HubEvent>> {
  const { hub, signal, onBreak } = options;
  const ended = new AbortController();
  const heard = new Broadcast<HubEvent>(QUEUE_MAX);
  const events = heard.read({ signal: AbortSignal.any([signal, ended.signal]) });
  const channel = new BroadcastChannel(NAME);
  signal.addEventListener('abort', () => channel.close(), { once: true });
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.kind === 'event') heard.send(data.event);
    else if (data.kind === 'break') onBreak();
    else ended.abort();
  });
  const tell = (message: Message): void => {
    if (!signal.aborted) post(channel, message);
  };
  const { promise: opened, resolve, reject } = Promise.withResolvers<void>();
  const read = async (isFirst: boolean): Promise<void> => {
    try {
      if (signal.aborted) return;
      const stream = hub.watch({ signal });
      await hub.status();
      // Nobody has heard what happened before; a tab that opens the first stream has asked for nothing yet.
      tell({ kind: 'event', event: MISSED });
      if (!isFirst) heard.send(MISSED);
      resolve();
      for await (const event of stream) {
        heard.send(event);
        tell({ kind: 'event', event });
      }
    } finally {
      tell({ kind: 'end' });
      ended.abort();
    }
  };
  takeTurns({ signal, read, follow: () => hub.status().then(() => resolve()) }).catch((error: unknown) => {
    reject(error);
    ended.abort();
  });
  await opened;
  return events;
}

const NAME = 'plug.events';
const QUEUE_MAX = 10_000;
const MISSED: HubEvent = { kind: 'events-dropped', count: 0 };

/** The stream of this tab broke: the tabs that it serves show it, too. */
export function tellBreak(): void {
  const channel = new BroadcastChannel(NAME);
  post(channel, { kind: 'break' });
  channel.close();
}

function post(channel: BroadcastChannel, message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  channel.postMessage(message);
}

interface Turns {
  readonly signal: AbortSignal;
  readonly read: (isFirst: boolean) => Promise<void>;
  readonly follow: () => Promise<void>;
}

/** Reads at once if no tab does; else follows, and reads when its turn comes. */
async function takeTurns({ signal, read, follow }: Turns): Promise<void> {
  const isFirst = await navigator.locks.request(NAME, { ifAvailable: true }, async (lock) => {
    if (lock) await read(true);
    return lock !== null;
  });
  if (isFirst || signal.aborted) return;
  const turn = navigator.locks.request(NAME, { signal }, () => read(false));
  await Promise.all([follow(), turn]);
}
