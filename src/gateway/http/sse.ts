import { EventStream } from './event-stream.ts';
import { LegacyHost } from './legacy-host.ts';
import type { LegacyOptions } from './legacy.ts';
import { readMessage } from './message.ts';
import type { Posted } from './exchange.ts';
import type { ReplyChannel } from './reply.ts';
import {
  EVENTS_ONLY,
  httpCodes,
  invalidRequest,
  problem,
  respondEmpty,
  respondError,
  tooManySessions,
} from './respond.ts';
import { MESSAGES } from './routes.ts';

/** HTTP+SSE of 2024-11-05: one stream to the host and an address to post to. The stream is the session. */
export class SseHosts {
  readonly #options: LegacyOptions;
  readonly #streams = new WeakMap<LegacyHost, EventStream>();

  constructor(options: LegacyOptions) {
    this.#options = options;
  }

  open(posted: Posted, query: URLSearchParams): void {
    const { response, path, stream, accepted, header } = posted;
    // Hosts of that time don't always send it.
    if (!accepted.events && header('accept') !== undefined) return respondError(response, EVENTS_ONLY);
    const { sessions, bounds, ids, logger } = this.#options;
    const host = new LegacyHost({
      ...posted,
      id: ids.next('session'),
      path: path + MESSAGES,
      bounds,
      logger,
    });
    if (!sessions.add(host)) return respondError(response, tooManySessions());
    response.onClose(() => sessions.end(host));
    const events = new EventStream(response, stream);
    this.#streams.set(host, events);
    const where = new URLSearchParams(query);
    where.set('sessionId', host.id);
    events.send(`${path}${MESSAGES}?${where.toString()}`, 'endpoint');
    host.listen(events);
  }

  /** Answers leave on the stream. */
  receive(body: unknown, posted: Posted, sessionId: string | null): void {
    const { response, path, principal } = posted;
    const { gateway, sessions } = this.#options;
    if (sessionId === null) return respondError(response, invalidRequest('The address has no sessionId.'));
    const host = sessions.find(sessionId, principal, path + MESSAGES);
    const events = host && this.#streams.get(host);
    if (!host || !events) {
      return respondError(response, problem(404, httpCodes.sessionNotFound, 'There is no such session.'));
    }
    if (Array.isArray(body)) return respondError(response, invalidRequest('Batches are not known here.'));
    const message = readMessage(body);
    if (message.kind === 'invalid') {
      const wrong = invalidRequest(`The body was refused: ${message.why}.`);
      return respondError(response, { ...wrong, id: message.id });
    }
    respondEmpty(response, 202);
    if (message.kind !== 'request') return host.receive(message);
    const way = channelOn(events);
    const onFailed = (): void => sessions.end(host);
    if (message.method === 'initialize') host.initialize(message, way, { gateway, onFailed });
    else host.request(message, way);
  }
}

function channelOn(events: EventStream): ReplyChannel {
  return {
    takesEvents: true,
    send: (text) => events.send(text),
    answer: (text) => {
      if (text !== undefined) events.send(text);
    },
  };
}
