import { systemClock, type Clock } from '../base/clock.ts';
import { ignore, PlugError } from '../base/errors.ts';
import type { Hub, HubEvent, HubStatus } from '../hub/hub.ts';
import { mapOperations, type Apis } from '../hub/operations/table.ts';
import { attachHost } from './attach-host.ts';
import { ask, askListener, openStream, type AskOptions } from './exchange.ts';
import type { PageLink } from './listener-operations.ts';
import type { OperationName } from './routes.ts';
import type { Send } from './send.ts';
import { watchEvents } from './watch-events.ts';

export interface ConnectOptions {
  /** The project as which the hub is seen; absent means the hub's own folder. */
  readonly folder?: string;
  readonly clock?: Clock;
  /** Told when the stream of events breaks, before it is opened again. */
  readonly onBreak?: () => void;
  /** What this client is. It gets an id of its own, so that it cannot answer what it asked itself. */
  readonly kind?: 'terminal' | 'page' | 'editor' | 'library';
  /** That id, of its own among all clients; default: drawn at random. */
  readonly id?: string;
}

/** The same Hub over HTTP. Closing it leaves the hub itself running. */
export function connectHub(through: Send, options: ConnectOptions = {}): Hub {
  const { folder, clock = systemClock, kind = 'library', id = crypto.randomUUID(), onBreak } = options;
  const client = `${kind}.${id}`;
  const send: Send = (request) =>
    through({ ...request, client, ...(folder === undefined ? {} : { folder }) });
  const closed = new AbortController();
  const opening = new Set<Promise<unknown>>();

  /** A watch that was asked for first also sees what this operation does. */
  const run = async (name: OperationName, input: object, options?: AskOptions): Promise<unknown> => {
    if (opening.size > 0) await Promise.allSettled(opening);
    return ask(send, name, input, options);
  };

  const watch = (options: { readonly signal?: AbortSignal } = {}): AsyncIterable<HubEvent> => {
    const signal = options.signal ? AbortSignal.any([options.signal, closed.signal]) : closed.signal;
    const first = openStream(send, 'watch', {}, signal);
    opening.add(first);
    const opened = first.finally(() => opening.delete(first));
    ignore(opened, 'whoever reads the events learns of it');
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

/** What cannot travel is there for the gateway, which lives in the hub's own process. */
function inProcessOnly(operation: string): Promise<never> {
  const message = `${operation} is not there over HTTP: it is for the gateway, in the hub's own process.`;
  return Promise.reject(
    new PlugError('unsupported', message, { owner: 'you', remedy: { do: 'show', what: 'gateway' } }),
  );
}

/** Stops the hub at the other end, and every process it started. */
export function shutdownHub(send: Send): Promise<void> {
  return askListener(send, 'shutdown', {});
}

/** A link that opens the page once; the hub gives it to whoever is the user, and to no page. */
export function pageLink(send: Send, { file = false } = {}): Promise<PageLink> {
  return askListener(send, 'page.link', file ? { file } : {});
}
