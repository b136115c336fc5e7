import { toldToModel } from '../../base/remedy-sentence.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Cancel, Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import type { Ids } from '../../base/ids.ts';
import { Line } from '../../base/line.ts';
import type { Logger } from '../../base/logger.ts';
import type { Gateway } from '../gateway.ts';
import { RpcError, rpcCodes } from '../rpc.ts';
import { readAccept, type Beating, type EventStreamOptions } from './reply.ts';
import { isModern, isModernVersion, answerModern } from './modern.ts';
import {
  type Incoming,
  type Outgoing,
  type Posted,
  nodeIncoming,
  nodeOutgoing,
  httpCodes,
  invalidRequest,
  problem,
  respondError,
  wrongMethod,
  type Problem,
} from './exchange.ts';
import type { HostExchange } from './host-exchange.ts';
import type { Admit, HostAtDoor, Refused, Via } from './knock.ts';
import { answerBatch, answerLegacy, endLegacy, openLegacyStream, openSse, receiveSse } from './legacy.ts';
import type { LegacyOptions } from './legacy.ts';
import { bounds as usual, httpLimits, type Bounds } from './limits.ts';
import { readMessage, readBody, type BodyOptions } from './message.ts';
import { boundScope, otherProfile } from '../scope.ts';
import { PlainConnections, type Door } from './plain/connections.ts';
import { Routes, type Route } from './routes.ts';
import { Sessions } from './sessions.ts';

export interface HttpFrontOptions {
  readonly gateway: Gateway;
  readonly admit: Admit;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly bounds?: Partial<Bounds>;
}

/** Streamable HTTP of both eras, and the older SSE transport, on Node's own requests for speed. */
export class HttpFront {
  readonly #options: HttpFrontOptions;
  readonly #body: BodyOptions;
  readonly #routes = new Routes();
  /** Requests per connection behind an unfinished answer. */
  readonly #pipelined = new WeakMap<Socket, number>();
  readonly #pipelinedMax: number;
  readonly #plain: PlainConnections;
  readonly #beats = new Line<Beating>();
  readonly #stopBeats: Cancel;
  readonly #stream: EventStreamOptions;
  readonly #sessions: Sessions;
  readonly #legacy: LegacyOptions;
  /** For modern hosts; the others have sessions. */
  readonly #open = new Line<HostExchange>();
  #isClosed = false;

  constructor(options: HttpFrontOptions) {
    const { clock, gateway, ids, logger } = options;
    const bounds = { ...usual, ...options.bounds };
    this.#options = options;
    const shape = { depthMax: bounds.jsonDepthMax, itemsMax: bounds.jsonItemsMax };
    this.#body = { bytesMax: bounds.bodyBytesMax, shape };
    this.#pipelinedMax = bounds.pipelinedMax;
    this.#plain = new PlainConnections(clock);
    this.#stopBeats = clock.every(bounds.keepAliveMs, () => {
      for (const one of this.#beats) one.beat();
    });
    this.#stream = { beats: this.#beats, unreadBytesMax: bounds.unreadBytesMax };
    this.#sessions = new Sessions(clock, bounds);
    this.#legacy = { gateway, sessions: this.#sessions, bounds, clock, ids, logger };
  }

  /** False if the path isn't ours. */
  request(request: IncomingMessage, response: ServerResponse, via: Via): boolean {
    const route = this.#routes.find(request.url ?? '');
    if (!route) return false;
    if (!this.#admitPipelined(request, response)) return true;
    this.#begin(route, nodeIncoming(request), nodeOutgoing(response), via);
    return true;
  }

  /** Reads the connection by hand while requests are plain; then hands it to Node for good. */
  connection(socket: Socket, via: Via, door: Door): void {
    this.#plain.add(socket, {
      ...door,
      take: (request, response) => {
        const route = this.#routes.find(request.url);
        if (route) this.#begin(route, request, response, via);
        return route !== undefined;
      },
    });
  }

  /** Neither a host with a session nor a request. */
  get isAtRest(): boolean {
    return this.#sessions.size === 0 && this.#open.size === 0;
  }

  endHost(principal: string): void {
    this.#sessions.endOf(principal);
    for (const exchange of this.#open) if (exchange.principal === principal) exchange.refuse(REVOKED);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#letGo();
    await this.#sessions.close();
    this.#stopBeats();
    this.#beats.clear();
    this.#plain.close();
  }

  /** Lets modern hosts be answered, e.g. that listening is over. */
  async #letGo(): Promise<void> {
    const { clock } = this.#options;
    for (const exchange of this.#open) exchange.abort(new Error('the hub is stopping'));
    const deadline = clock.monotonic() + httpLimits.stopAnswerMs;
    while (this.#open.size > 0 && clock.monotonic() < deadline) await clock.sleep(httpLimits.stopPollMs);
    for (const exchange of this.#open) exchange.cancel();
  }

  /** Node starts every request at once and buffers all answers behind the first: beyond a bound, it ends. */
  #admitPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // Usually nothing is queued before it, and the response has its socket.
    if (response.socket) return true;
    const behind = (this.#pipelined.get(socket) ?? 0) + 1;
    if (behind > this.#pipelinedMax) {
      socket.destroy();
      return false;
    }
    this.#pipelined.set(socket, behind);
    response.once('close', () => this.#pipelined.set(socket, (this.#pipelined.get(socket) ?? 1) - 1));
    return true;
  }

  #begin(route: Route, request: Incoming, response: Outgoing, via: Via): void {
    this.#safely(response, () => this.#enter(route, request, response, via));
  }

  #enter(route: Route, request: Incoming, response: Outgoing, via: Via): void {
    const { path } = route;
    const { header, connection } = request;
    const admitted = this.#options.admit({ header, path, connection }, via);
    if ('status' in admitted) return refuse(request, response, refused(admitted));
    if (this.#isClosed) return refuse(request, response, STOPPING);
    if (route.wrong !== undefined) {
      return refuse(request, response, problem(400, httpCodes.badRequest, route.wrong));
    }
    const { principal, folder, host } = admitted;
    const allowed = boundScope(route.scope, host);
    if (!allowed) return refuse(request, response, elsewhere(host));
    const scope = folder === undefined ? allowed : { ...allowed, folder };
    const accepted = readAccept(header('accept'));
    const stream = this.#stream;
    const posted: Posted = { response, header, accepted, path, scope, principal, host, stream, cwd: folder };
    if (request.method === 'POST' && route.kind !== 'sse') return this.#post(route, request, posted);
    request.skip();
    const wrong = wrongVerb(route, request.method, header('mcp-protocol-version'));
    if (wrong) respondError(response, wrong);
    else if (route.kind === 'sse') openSse(posted, route.query, this.#legacy);
    else if (request.method === 'GET') openLegacyStream(posted, this.#legacy);
    else endLegacy(posted, this.#legacy);
  }

  #post(route: Route, request: Incoming, posted: Posted): void {
    const { response, accepted } = posted;
    // The SSE transport answers on its stream, whatever the POST accepts.
    if (route.kind === 'mcp' && !accepted.json && !accepted.events)
      return refuse(request, response, UNACCEPTABLE);
    readBody(
      request,
      this.#body,
      (body) => this.#safely(response, () => this.#answer(route, body, posted)),
      (wrong) => respondError(response, wrong),
    );
  }

  #answer(route: Route, body: unknown, posted: Posted): void {
    // The token may have been revoked while the body came.
    if (posted.host?.isRevoked) return respondError(posted.response, GONE);
    if (route.kind === 'messages')
      return receiveSse(body, posted, route.query.get('sessionId'), this.#legacy);
    const version = posted.header('mcp-protocol-version');
    if (Array.isArray(body)) {
      const messages = body.map(readMessage);
      const isLegacy = !messages.some((each) => isModern(each, version));
      if (isLegacy) return answerBatch(messages, posted, this.#legacy);
      return respondError(posted.response, invalidRequest('This era knows no batches.'));
    }
    const message = readMessage(body);
    if (!isModern(message, version)) return answerLegacy(message, posted, this.#legacy);
    const { gateway, logger } = this.#options;
    answerModern(message, posted, { gateway, logger, open: this.#open });
  }

  /** A bug costs one answer, never the process. */
  #safely(response: Outgoing, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#options.logger.error('a request of a host failed', { error: messageOf(error) });
      if (response.isBegun) response.destroy();
      else respondError(response, FAILED);
    }
  }
}

function refuse(request: Incoming, response: Outgoing, wrong: Problem): void {
  request.skip();
  respondError(response, wrong);
}

function refused({ status, message, remedy, headers }: Refused): Problem {
  return problem(status, httpCodes.badRequest, toldToModel(message, remedy), Object.entries(headers).flat());
}

function elsewhere(host: HostAtDoor | undefined): Problem {
  return problem(403, httpCodes.badRequest, host ? otherProfile(host) : 'This address is not for this host.');
}

function wrongVerb(route: Route, method: string, version: string | undefined): Problem | undefined {
  if (route.kind === 'messages') return wrongMethod('POST');
  if (route.kind === 'sse') return method === 'GET' ? undefined : wrongMethod('GET');
  // A modern host has no session to listen to or end.
  if (version !== undefined && isModernVersion(version)) return wrongMethod('POST');
  return method === 'GET' || method === 'DELETE' ? undefined : wrongMethod('GET, POST, DELETE');
}

const UNACCEPTABLE = problem(
  406,
  httpCodes.badRequest,
  'Answers are application/json or text/event-stream: the header Accept must name one of them.',
);
const REVOKED = new RpcError(rpcCodes.internalError, 'The token of this host was revoked.');
const GONE = problem(401, httpCodes.badRequest, REVOKED.message);
const STOPPING = problem(503, httpCodes.badRequest, 'The hub is stopping.', ['retry-after', '1']);
const FAILED = problem(500, rpcCodes.internalError, 'Plugboard failed to answer this request.');
