import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import type { Gateway } from '../gateway.ts';
import type { RpcId } from '../rpc.ts';
import { EventStream, type OpenKept, Reply, type ReplyChannel } from './reply.ts';
import { LegacyHost } from './legacy-host.ts';
import type { Bounds } from './limits.ts';
import { type HostRequest, type Message, readMessage } from './message.ts';
import {
  type Posted,
  EVENTS_ONLY,
  httpCodes,
  invalidRequest,
  problem,
  refusedBody,
  respondEmpty,
  respondError,
  tooManySessions,
  type Problem,
} from './exchange.ts';
import type { Sessions } from './sessions.ts';
import { MESSAGES } from './routes.ts';

export interface LegacyOptions {
  readonly clock: Clock;
  readonly gateway: Gateway;
  readonly sessions: Sessions;
  readonly bounds: Bounds;
  readonly ids: Ids;
  readonly logger: Logger;
}

/** Legacy revisions with Streamable HTTP. */
const VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];
/** The only revision with batches. */
const BATCHES = '2025-03-26';

export function answerLegacy(message: Message, posted: Posted, options: LegacyOptions): void {
  const { response, accepted, stream } = posted;
  if (message.kind === 'invalid') return respondError(response, refusedBody(message));
  if (message.kind === 'request' && message.method === 'initialize') {
    return initialize(message, posted, options);
  }
  const host = sessionOf(posted, options, message.kind === 'request' ? message.id : null);
  if (!host) return;
  if (message.kind !== 'request') {
    host.receive(message);
    return respondEmpty(response, 202);
  }
  const { resumables } = host;
  const openKept: OpenKept | undefined = resumables && ((...opened) => resumables.open(...opened));
  const reply = new Reply(response, { stream, accepted, openKept, onGone: () => exchange.drop() });
  const exchange = host.request(message, reply);
}

export function answerBatch(messages: readonly Message[], posted: Posted, options: LegacyOptions): void {
  const { response, accepted, stream } = posted;
  const host = sessionOf(posted, options);
  if (!host) return;
  const wrong = wrongBatch(messages, host.version, options.bounds.batchMessagesMax);
  if (wrong) return respondError(response, wrong);
  const requests: HostRequest[] = [];
  for (const message of messages) {
    if (message.kind === 'request') requests.push(message);
    else if (message.kind !== 'invalid') host.receive(message);
  }
  if (requests.length === 0) return respondEmpty(response, 202);
  const onGone = (): void => exchanges.forEach((exchange) => exchange.drop());
  const reply = new Reply(response, { stream, accepted, answers: requests.length, onGone });
  const exchanges = requests.map((request) => host.request(request, reply));
}

function wrongBatch(messages: readonly Message[], version: string, max: number): Problem | undefined {
  if (version !== BATCHES) return invalidRequest(`Batches are known in ${BATCHES} alone.`);
  if (messages.length === 0 || messages.length > max)
    return invalidRequest(`A batch has 1 to ${max} messages.`);
  const broken = messages.find((message) => message.kind === 'invalid');
  return broken && invalidRequest(`The batch was refused: ${broken.why}.`);
}

export function openLegacyStream(posted: Posted, options: LegacyOptions): void {
  const { response, accepted, stream, header } = posted;
  if (!accepted.events) return respondError(response, EVENTS_ONLY);
  const host = sessionOf(posted, options);
  if (!host) return;
  const last = header('last-event-id');
  const isResumed = last === undefined ? undefined : host.resumables?.resume(last, response, stream);
  if (isResumed === true) return;
  if (isResumed === false) return respondError(response, STREAM_OVER);
  const events = new EventStream(response, stream);
  events.beat();
  host.listen(events);
}

export function endLegacy(posted: Posted, options: LegacyOptions): void {
  const host = sessionOf(posted, options);
  if (!host) return;
  options.sessions.end(host);
  respondEmpty(posted.response, 204);
}

/** Refuses without a session; an ended one looks unknown, as hosts initialize again on 404. */
function sessionOf(posted: Posted, options: LegacyOptions, id: RpcId | null = null): LegacyHost | undefined {
  const { response, header, principal, path } = posted;
  const given = header('mcp-session-id');
  const host = given === undefined ? undefined : options.sessions.find(given, principal, path);
  const version = header('mcp-protocol-version');
  if (host && (version === undefined || VERSIONS.includes(version))) return host;
  const wrong = host ? OTHER_VERSION : given === undefined ? NO_SESSION : SESSION_GONE;
  respondError(response, { ...wrong, id });
  return undefined;
}

/** Official clients give up in silence at this status alone. */
const STREAM_OVER = problem(
  405,
  httpCodes.badRequest,
  'The stream of that event has ended, or is no longer kept.',
);
const NO_SESSION = problem(
  400,
  httpCodes.badRequest,
  'The header Mcp-Session-Id is missing: initialize first.',
);
const OTHER_VERSION = problem(400, httpCodes.badRequest, `A session speaks one of ${VERSIONS.join(', ')}.`);
const SESSION_GONE = problem(404, httpCodes.sessionNotFound, 'Unknown session: initialize again.');

function initialize(message: HostRequest, posted: Posted, options: LegacyOptions): void {
  const { gateway, sessions, bounds, ids, clock, logger } = options;
  const { response, accepted } = posted;
  const host = new LegacyHost({ ...posted, id: ids.next('session'), bounds, clock, logger });
  if (!sessions.add(host)) return respondError(response, { ...tooManySessions(), id: message.id });
  const onGone = (): void => {
    exchange.drop();
    sessions.end(host);
  };
  const reply = new Reply(response, { stream: posted.stream, accepted, onGone });
  const exchange = host.initialize(message, reply, {
    gateway,
    onBegun: () => (reply.headers = ['mcp-session-id', host.id]),
    onFailed: () => sessions.end(host),
  });
}

/** HTTP+SSE of 2024-11-05: one stream to the host and an address to post to. The stream is the session. */
export function openSse(posted: Posted, query: URLSearchParams, options: LegacyOptions): void {
  const { response, stream, accepted, header } = posted;
  // Hosts of that time don't always send it.
  if (!accepted.events && header('accept') !== undefined) return respondError(response, EVENTS_ONLY);
  const { sessions, bounds, ids, clock, logger } = options;
  const path = posted.path + MESSAGES;
  const host = new LegacyHost({ ...posted, id: ids.next('session'), path, bounds, clock, logger });
  if (!sessions.add(host)) return respondError(response, tooManySessions());
  response.onClose(() => sessions.end(host));
  const events = new EventStream(response, stream);
  const where = new URLSearchParams(query);
  where.set('sessionId', host.id);
  events.send(`${path}?${where.toString()}`, 'endpoint');
  host.listen(events);
}

/** Answers leave on the stream. */
export function receiveSse(
  body: unknown,
  { response, path, principal }: Posted,
  sessionId: string | null,
  { gateway, sessions }: LegacyOptions,
): void {
  if (sessionId === null) return respondError(response, invalidRequest('The address has no sessionId.'));
  const host = sessions.find(sessionId, principal, path + MESSAGES);
  const events = host?.stream;
  if (!host || !events) {
    return respondError(response, problem(404, httpCodes.sessionNotFound, 'There is no such session.'));
  }
  if (Array.isArray(body)) return respondError(response, invalidRequest('Batches are not known here.'));
  const message = readMessage(body);
  if (message.kind === 'invalid') return respondError(response, refusedBody(message));
  respondEmpty(response, 202);
  if (message.kind !== 'request') return host.receive(message);
  const way: ReplyChannel = {
    takesEvents: true,
    send: (text) => events.send(text),
    answer: (text) => {
      if (text !== undefined) events.send(text);
    },
  };
  const onFailed = (): void => sessions.end(host);
  if (message.method === 'initialize') host.initialize(message, way, { gateway, onFailed });
  else host.request(message, way);
}
