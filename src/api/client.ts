import { systemClock, type Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { ignore, PlugError } from '../base/errors.ts';
import { limits } from '../base/limits.ts';
import type { Hub, HubEvent, HubStatus } from '../hub/hub.ts';
import { mapOperations, type Apis } from '../hub/operations/table.ts';
import { attachHost } from './attach-host.ts';
import { ask, askListener, openStream, type AskOptions, type ReadJson } from './exchange.ts';
import type { PageLink } from './listener-operations.ts';
import type { OperationName } from './routes.ts';
import type { Send } from './send.ts';

export interface ConnectOptions {
  readonly folder?: string;
  readonly clock?: Clock;
  /** Told when the stream of events breaks, before it is opened again. */
  readonly onBreak?: () => void;
  /** A client cannot answer what it asked itself: its id tells. */
  readonly kind?: 'terminal' | 'page' | 'editor' | 'library';
  readonly id?: string;
  /** Reads answers in place of `JSON.parse`, for a face that shows numbers as servers wrote them. */
  readonly readJson?: ReadJson;
}

/** The same Hub over HTTP. Closing it leaves the hub itself running. */
export function connectHub(through: Send, options: ConnectOptions = {}): Hub {
  const {
    folder,
    clock = systemClock,
    kind = 'library',
    id = crypto.randomUUID(),
    onBreak,
    readJson,
  } = options;
  const client = `${kind}.${id}`;
  const send: Send = (request) => through({ ...request, client, ...defined({ folder }) });
  const closed = new AbortController();
  const opening = new Set<Promise<unknown>>();

  /** A watch that was started first also sees the events of this operation. */
  const run = async (name: OperationName, input: object, options?: AskOptions): Promise<unknown> => {
    if (opening.size > 0) await Promise.allSettled(opening);
    return ask(send, name, input, readJson ? { ...options, readJson } : options);
  };

  const watch = (options: { readonly signal?: AbortSignal } = {}): AsyncIterable<HubEvent> => {
    const signal = options.signal ? AbortSignal.any([options.signal, closed.signal]) : closed.signal;
    const first = openStream(send, 'watch', {}, signal);
    opening.add(first);
    const opened = first.finally(() => opening.delete(first));
    ignore(opened, 'the reader of the events learns of it');
    return watchEvents({ send, clock, signal, first, onBreak });
  };

  const close = (): Promise<void> => {
    closed.abort(new Error('the connection to the hub was closed'));
    return Promise.resolve();
  };

  const apis = mapOperations((area, method, { route }) => {
    const name = `${area}.${method}` as OperationName; // those with a route are
    if (!route) return () => inProcessOnly(name);
    return (input: object = {}, options?: AskOptions) => run(name, input, options);
  }) as Apis; // a method of its type for each operation

  return {
    ...apis,
    hosts: { ...apis.hosts, attach: (host) => attachHost({ send, clock, host, signal: closed.signal }) },
    status: async () => (await run('status', {})) as HubStatus, // its answer
    watch,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function inProcessOnly(operation: string): Promise<never> {
  const message = `${operation} is not there over HTTP: it is for the gateway, in the hub's own process.`;
  return Promise.reject(
    new PlugError('unsupported', message, { owner: 'you', remedy: { do: 'show', what: 'gateway' } }),
  );
}

export function shutdownHub(send: Send): Promise<void> {
  return askListener(send, 'shutdown', {});
}

export function pageLink(send: Send, { file = false } = {}): Promise<PageLink> {
  return askListener(send, 'page.link', file ? { file } : {});
}

interface Watching {
  readonly send: Send;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly first: Promise<AsyncGenerator<HubEvent>>;
  readonly onBreak: (() => void) | undefined;
}

/** A broken stream is opened again. An `events-dropped` with count 0 (unknown) tells of events in between. */
async function* watchEvents(options: Watching): AsyncGenerator<HubEvent> {
  const { signal } = options;
  let stream = await whileWanted(options.first, signal);
  while (stream) {
    yield* untilBroken(stream);
    if (signal.aborted) return;
    options.onBreak?.();
    stream = await whileWanted(listenAgain(options), signal);
    if (stream) yield { kind: 'events-dropped', count: 0 };
  }
}

/** A broken stream just ends: the next one tells whether the hub is gone. */
async function* untilBroken(stream: AsyncGenerator<HubEvent>): AsyncGenerator<HubEvent> {
  try {
    yield* stream;
  } catch {
    // See above.
  }
}

async function listenAgain({ send, clock, signal }: Watching): Promise<AsyncGenerator<HubEvent>> {
  for (let attempt = 0; ; attempt += 1) {
    await clock.sleep(Math.min(limits.watchRetryMaxMs, limits.watchRetryBaseMs * 2 ** attempt), signal);
    try {
      return await openStream(send, 'watch', {}, signal);
    } catch (error) {
      if (signal.aborted || attempt + 1 >= limits.watchRetriesMax) throw error;
    }
  }
}

/** Undefined instead of an error once the events are no longer wanted. */
async function whileWanted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}
