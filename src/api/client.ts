import { systemClock, type Clock } from '../base/clock.ts';
import { ignore } from '../base/errors.ts';
import type { Hub, HubEvent } from '../hub/hub.ts';
import { attachHost } from './attach-host.ts';
import { chatOver } from './chat-client.ts';
import { decidingOver, type Run } from './deciding-client.ts';
import { inProcessOnly } from './in-process-only.ts';
import { ask, openStream } from './exchange.ts';
import type { PageLink } from './page-operations.ts';
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
  const run: Run = async (name, input, options) => {
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

  return {
    servers: {
      list: () => run('servers.list', {}),
      get: (id) => run('servers.get', { id }),
      add: (definition, { signal, ...given } = {}) =>
        run('servers.add', { definition, ...given }, { signal }),
      definition: (id) => run('servers.definition', { id }),
      remove: (id) => run('servers.remove', { id }),
      enable: (id) => run('servers.enable', { id }),
      disable: (id) => run('servers.disable', { id }),
      setReadOnly: (id, readOnly) => run('servers.setReadOnly', { id, readOnly }),
      setApps: (id, shown) => run('servers.setApps', { id, shown }),
      credentials: (id) => run('servers.credentials', { id }),
      icon: (id) => run('servers.icon', { id }),
      trust: (id, options = {}) => run('servers.trust', { id, ...options }),
      untrust: (id) => run('servers.untrust', { id }),
      apply: (definitions) => run('servers.apply', { definitions }),
      reload: () => run('servers.reload', {}),
      start: (id, options) => run('servers.start', { id }, options),
      stop: (id) => run('servers.stop', { id }),
      restart: (id, options) => run('servers.restart', { id }, options),
      reconnect: (id, options) => run('servers.reconnect', { id }, options),
      restartFailed: () => run('servers.restartFailed', {}),
      stopAll: () => run('servers.stopAll', {}),
      ensureStarted: (ids) => run('servers.ensureStarted', ids ? { ids } : {}),
      waitUntilReady: ({ signal, onProgress, ...input } = {}) =>
        run('servers.waitUntilReady', input, { signal, onProgress }),
      logs: (id, options) => run('servers.logs', { id, ...options }),
      events: (query = {}) => run('servers.events', query),
    },
    ...decidingOver(run),
    ...chatOver(run),
    resources: {
      list: (options = {}) => run('resources.list', options),
      read: (request, options) => run('resources.read', request, options),
      subscribe: (request) => run('resources.subscribe', request),
      unsubscribe: (request) => run('resources.unsubscribe', request),
      extension: () => inProcessOnly('resources.extension'),
    },
    prompts: {
      list: (options = {}) => run('prompts.list', options),
      get: (request, options) => run('prompts.get', request, options),
      complete: (request, options) => run('prompts.complete', request, options),
      setLogLevel: (request) => run('prompts.setLogLevel', request),
    },
    profiles: {
      list: () => run('profiles.list', {}),
      save: (profile) => run('profiles.save', profile),
      remove: (name) => run('profiles.remove', { name }),
    },
    accounts: {
      list: (options = {}) => run('accounts.list', options),
      signIn: (request, options) => run('accounts.signIn', request, options),
      answer: (request) => run('accounts.answer', request),
      signOut: (request) => run('accounts.signOut', request),
      setDefault: (request) => run('accounts.setDefault', request),
    },
    secrets: {
      list: () => run('secrets.list', {}),
      set: (name, value) => run('secrets.set', { name, value }),
      remove: (name) => run('secrets.remove', { name }),
      rotate: (request = {}) => run('secrets.rotate', request),
      unlock: (passphrase) => run('secrets.unlock', { passphrase }),
      hide: () => inProcessOnly('secrets.hide'),
    },
    imports: {
      scan: (query = {}) => run('imports.scan', query),
      run: (request) => run('imports.run', request),
    },
    registries: {
      list: () => run('registries.list', {}),
      save: (registry) => run('registries.save', registry),
      remove: (name) => run('registries.remove', { name }),
      search: (query, options) => run('registries.search', query, options),
      sync: (request = {}, options = {}) => run('registries.sync', request, options),
    },
    plans: {
      make: (request, options) => run('plans.make', request, options),
      unpack: (request, options) => run('plans.unpack', request, options),
      install: (request, options) => run('plans.install', request, options),
      try: (request, options) => run('plans.try', request, options),
      recognise: (request) => run('plans.recognise', request),
      readImage: (request, options) => run('plans.readImage', request, options),
    },
    configuring: { turn: (request, options) => run('configuring.turn', request, options) },
    settings: {
      get: () => run('settings.get', {}),
      change: (change) => run('settings.change', change),
    },
    hosts: { attach: (host) => attachHost({ send, clock, host, signal: closed.signal }) },
    status: () => run('status', {}),
    watch,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Stops the hub at the other end, and every process it started. */
export function shutdownHub(send: Send): Promise<void> {
  return ask(send, 'shutdown', {});
}

/** A link that opens the page once; the hub gives it to whoever is the user, and to no page. */
export function pageLink(send: Send): Promise<PageLink> {
  return ask(send, 'page.link', {});
}
