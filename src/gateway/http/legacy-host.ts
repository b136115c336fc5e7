import type { Clock } from '../../base/clock.ts';
import { ignore } from '../../base/errors.ts';
import { idKey } from '../../base/exact-number.ts';
import type { JsonObject } from '../../base/json.ts';
import { Line } from '../../base/line.ts';
import type { Logger } from '../../base/logger.ts';
import type { AskOptions, Gateway, HostLink, HostSession } from '../gateway.ts';
import { isRpcId, notificationText, RpcError, rpcCodes, type Answer } from '../rpc.ts';
import type { Scope } from '../scope.ts';
import type { EventStream, ReplyChannel } from './reply.ts';
import { HostExchange } from './host-exchange.ts';
import { Resumables } from './resumable.ts';
import type { Posted } from './exchange.ts';
import type { Bounds } from './limits.ts';
import type { HostRequest, Message, Outcome } from './message.ts';

export interface LegacyHostOptions extends Pick<Posted, 'path' | 'scope' | 'principal' | 'host' | 'cwd'> {
  readonly id: string;
  readonly bounds: Bounds;
  readonly clock: Clock;
  readonly logger: Logger;
}

export class LegacyHost implements HostLink {
  readonly id: string;
  /** A session is valid only at the path it was opened on. */
  readonly path: string;
  readonly scope: Scope;
  readonly principal: string;
  readonly host: string | undefined;
  readonly cwd: string | undefined;
  /** In order of arrival; ids are no keys, as some hosts repeat them. */
  readonly #exchanges = new Line<HostExchange>();
  readonly #questions: Questions;
  readonly #missed = new Set<string>();
  readonly #resumables: Resumables;
  readonly #bounds: Bounds;
  readonly #logger: Logger;
  stream: EventStream | undefined;
  #session: HostSession | undefined;
  #isBegun = false;
  #isClosed = false;

  /** Monotonic. */
  lastUsed = 0;
  version = '';

  constructor({ id, path, scope, principal, host, cwd, bounds, clock, logger }: LegacyHostOptions) {
    this.id = id;
    this.path = path;
    this.scope = scope;
    this.principal = principal;
    this.host = host?.name;
    this.cwd = cwd;
    this.#questions = new Questions(bounds.questionsPerHostMax);
    this.#resumables = new Resumables(clock, bounds);
    this.#bounds = bounds;
    this.#logger = logger;
  }

  /** Older revisions know no event without data. */
  get resumables(): Resumables | undefined {
    return this.version === RESUMABLE ? this.#resumables : undefined;
  }

  get isIdle(): boolean {
    return this.#exchanges.size === 0 && !this.stream?.isOpen;
  }

  initialize(
    message: HostRequest,
    way: ReplyChannel,
    options: {
      readonly gateway: Gateway;
      /** Before the answer leaves. */
      readonly onBegun?: () => void;
      /** After the refusal has left. */
      readonly onFailed: () => void;
    },
  ): HostExchange {
    const work = async (): Promise<Answer> => {
      if (this.#isBegun) throw new RpcError(rpcCodes.invalidRequest, 'The session was initialized before.');
      this.#isBegun = true;
      const { result, session } = await options.gateway.initialize(message.params, this);
      // The host may have gone meanwhile.
      if (this.#isClosed) ignore(session.close(), 'nobody has used it');
      else this.#session = session;
      if (typeof result['protocolVersion'] === 'string') this.version = result['protocolVersion'];
      options.onBegun?.();
      return result;
    };
    return this.#run(message, way, work, () => {
      if (!this.#session) options.onFailed();
    });
  }

  /** For everything outside requests; a newer stream takes over. */
  listen(stream: EventStream): void {
    const older = this.stream;
    this.stream = stream;
    older?.end();
    for (const text of this.#missed) stream.send(text);
    this.#missed.clear();
  }

  receive(message: Message & { readonly kind: 'notification' | 'response' }): void {
    if (message.kind === 'response') this.#questions.answer(message.id, message.outcome);
    else if (message.method === 'notifications/cancelled') this.#cancel(message.params['requestId']);
    else this.#session?.notification(message.method, message.params);
  }

  request(message: HostRequest, way: ReplyChannel): HostExchange {
    return this.#run(message, way, (exchange) => {
      if (this.#session) return this.#session.request(message.method, message.params, exchange);
      throw new RpcError(rpcCodes.invalidRequest, 'The session has not been initialized.');
    });
  }

  notify(method: string, params: JsonObject): void {
    const text = notificationText(method, params);
    if (!this.stream?.send(text)) this.#keepMissed(text);
  }

  /** Duplicates are kept once: most only say that a list changed. */
  #keepMissed(text: string): void {
    if (text.length > this.#bounds.missedNoteCharsMax) return;
    this.#missed.delete(text);
    this.#missed.add(text);
    const [oldest] = this.#missed;
    if (this.#missed.size > this.#bounds.missedNotesMax && oldest !== undefined) this.#missed.delete(oldest);
  }

  ask(method: string, params: JsonObject, { signal, during }: AskOptions): Promise<JsonObject> {
    const own = [...this.#exchanges].find((exchange) => exchange === during);
    return this.#questions.ask({ method, params }, signal, (text) => this.#put(text, own));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#questions.close();
    this.#resumables.close();
    for (const exchange of this.#exchanges) exchange.refuse(sessionEnded());
    this.stream?.end();
    await this.#session?.close();
  }

  #run(
    message: HostRequest,
    way: ReplyChannel,
    work: (exchange: HostExchange) => Promise<Answer>,
    after?: () => void,
  ): HostExchange {
    const exchange = new HostExchange(message.id, way);
    const place = this.#exchanges.add(exchange);
    exchange.run(() => work(exchange), {
      logger: this.#logger,
      onEnd: () => {
        this.#exchanges.delete(place);
        after?.();
      },
    });
    return exchange;
  }

  /** On its request's stream, or any other that the host reads. */
  #put(text: string, own: HostExchange | undefined): boolean {
    if (own?.send(text) || this.stream?.send(text)) return true;
    for (const exchange of this.#exchanges) if (exchange.takesEvents && exchange.send(text)) return true;
    return false;
  }

  /** The oldest of several with the same id. */
  #cancel(id: unknown): void {
    if (!isRpcId(id)) return;
    for (const exchange of this.#exchanges) {
      if (idKey(exchange.id) === idKey(id) && !exchange.isOver) return exchange.cancel();
    }
  }
}

const RESUMABLE = '2025-11-25';

function sessionEnded(): RpcError {
  return new RpcError(rpcCodes.internalError, 'The session has ended: initialize again and repeat the call.');
}

/** Unanswered questions to one host; ids count per host. */
export class Questions {
  readonly #max: number;
  readonly #waiting = new Map<number, PromiseWithResolvers<JsonObject>>();
  #last = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** `send` returns whether it could. */
  async ask(question: JsonObject, signal: AbortSignal, send: (text: string) => boolean): Promise<JsonObject> {
    signal.throwIfAborted();
    if (this.#waiting.size >= this.#max) throw unaskable('has too many unanswered questions');
    const id = ++this.#last;
    const waiting = Promise.withResolvers<JsonObject>();
    ignore(waiting.promise, 'it is awaited below, unless it cannot even be sent');
    this.#waiting.set(id, waiting);
    const stop = (): void => {
      send(notificationText('notifications/cancelled', { requestId: id }));
      waiting.reject(signal.reason);
    };
    try {
      if (!send(JSON.stringify({ jsonrpc: '2.0', id, ...question }))) {
        throw unaskable('has no stream open on which it could be asked');
      }
      signal.addEventListener('abort', stop, { once: true });
      return await waiting.promise;
    } finally {
      signal.removeEventListener('abort', stop);
      this.#waiting.delete(id);
    }
  }

  /** Late answers are dropped. */
  answer(id: unknown, outcome: Outcome): void {
    // Some hosts return ids as text.
    const waiting = this.#waiting.get(typeof id === 'string' ? Number(id) : (id as number));
    if ('result' in outcome) waiting?.resolve(outcome.result);
    else waiting?.reject(outcome.error);
  }

  close(): void {
    for (const waiting of this.#waiting.values()) waiting.reject(unaskable('has gone'));
  }
}

function unaskable(why: string): RpcError {
  return new RpcError(rpcCodes.internalError, `The host ${why}.`);
}
