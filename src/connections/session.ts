import type { Clock } from '../base/clock.ts';
import { messageOf, PlugError } from '../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { Limits } from '../base/limits.ts';
import { envelope, type Agreement } from './handshake.ts';
import { askHost, declareHost, hostRequestKind } from './host-answers.ts';
import type { HostHandlers } from './host.ts';
import { Listener } from './listener.ts';
import type { Peer, ProgressNote } from './peer.ts';
import { CallPermit } from './permit.ts';

export type ListKind = 'tools' | 'resources' | 'prompts';

/** What a live session tells its connection. */
export interface SessionEvents {
  onListChange(kind: ListKind): void;
  onResourceUpdate(uri: string): void;
  onLog(entry: { readonly level: string; readonly logger?: string; readonly data: Json }): void;
  /** The server asked for something that only a host of its own could answer. */
  onHostWanted(): void;
  onEnd(error: PlugError): void;
}

export interface SessionOptions {
  readonly server: string;
  readonly peer: Peer;
  readonly agreement: Agreement;
  readonly transport: 'stdio' | 'streamable-http' | 'sse' | 'ws';
  readonly clientInfo: JsonObject;
  readonly handlers: HostHandlers;
  readonly events: SessionEvents;
  readonly clock: Clock;
  readonly limits: Limits;
}

export interface SessionRequestOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((note: ProgressNote) => void) | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whoever this request is made for; on modern links it answers instead of the session's own. */
  readonly handlers?: HostHandlers | undefined;
}

/** Every method but one: tools are called with a permit. */
type Method<M extends string> = M extends 'tools/call' ? never : M;

const EXTENSIONS = { 'io.modelcontextprotocol/tasks': {} };

/** A live, negotiated link to one server: requests in its era's dress, answers unharmed. */
export class Session {
  readonly agreement: Agreement;
  readonly transport: SessionOptions['transport'];
  readonly #options: SessionOptions;
  readonly #peer: Peer;
  readonly #listener: Listener | undefined;
  #logLevel: string | undefined;
  #envelopes = new WeakMap<HostHandlers, JsonObject>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#peer = options.peer;
    this.agreement = options.agreement;
    this.transport = options.transport;
    if (this.modern) {
      if (options.transport === 'streamable-http') this.#peer.cancelByStream();
      this.#listener = new Listener({
        capabilities: options.agreement.capabilities,
        clock: options.clock,
        limits: options.limits,
        ended: () => this.#peer.ended,
        open: (filter, signal) =>
          this.#peer.request(
            'subscriptions/listen',
            { notifications: filter, _meta: this.#envelope(options.handlers) },
            { timeoutMs: Infinity, signal },
          ),
        // What changed while nobody listened is unknown: look at everything again.
        onReopen: () => this.#listKinds().forEach((kind) => options.events.onListChange(kind)),
      });
    }
  }

  get modern(): boolean {
    return this.agreement.era === 'modern';
  }

  get ended(): boolean {
    return this.#peer.ended;
  }

  get lastHeard(): number {
    return this.#peer.lastHeard;
  }

  get pending(): number {
    return this.#peer.pending - (this.#listener?.open ? 1 : 0);
  }

  get server(): string {
    return this.#options.server;
  }

  /** Listens for changes; on legacy links the server just sends them. */
  listen(): void {
    this.#listener?.start();
  }

  request<M extends string>(
    method: Method<M>,
    params: JsonObject,
    options: SessionRequestOptions,
  ): Promise<JsonObject> {
    if (isToolCall(method)) return Promise.reject(notPermitted(this.server));
    return this.#request(method, params, options);
  }

  /** `params` names the tool and holds the arguments that the permit was given for. */
  callTool(permit: CallPermit, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    if (!CallPermit.covers(permit, params['name'], params['arguments'])) {
      return Promise.reject(notPermitted(this.server));
    }
    return this.#request('tools/call', params, options);
  }

  async #request(method: string, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    if (!this.modern) return this.#send(method, params, options);
    const handlers = options.handlers ?? this.#options.handlers;
    const given = params['_meta'];
    const own = this.#envelope(handlers);
    const _meta = isObject(given) ? { ...own, ...given } : own;
    const asked: JsonObject = { ...params, _meta };
    let dressed = asked;
    for (let round = 0; ; round += 1) {
      const result = await this.#send(method, dressed, options);
      if (result['resultType'] !== 'input_required') return result;
      if (round >= this.#options.limits.inputRoundsMax) throw this.#tooManyRounds(method);
      dressed = await this.#fulfil(asked, result, handlers, options.signal);
    }
  }

  /** Puts all of a server's questions to the host and answers under their own keys. */
  async answerInputs(
    inputRequests: unknown,
    handlers: HostHandlers = this.#options.handlers,
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const questions = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const answers: [string, JsonObject][] = await Promise.all(
      questions.map(async ([key, question]) => [key, await this.#answer(question, handlers, signal)]),
    );
    return Object.fromEntries(answers);
  }

  async setLogLevel(level: string, timeoutMs: number): Promise<void> {
    if (this.modern) {
      this.#logLevel = level;
      this.#envelopes = new WeakMap();
    } else await this.request('logging/setLevel', { level }, { timeoutMs });
  }

  async subscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.#listener) this.#listener.watch(uri);
    else await this.request('resources/subscribe', { uri }, { timeoutMs });
  }

  async unsubscribe(uri: string, timeoutMs: number): Promise<void> {
    if (this.#listener) this.#listener.unwatch(uri);
    else await this.request('resources/unsubscribe', { uri }, { timeoutMs });
  }

  /** A cheap question that every server of its era must answer. */
  async checkHealth(timeoutMs: number): Promise<void> {
    if (this.modern) await this.request('server/discover', {}, { timeoutMs });
    else await this.request('ping', {}, { timeoutMs });
  }

  async close(): Promise<void> {
    this.#listener?.stop();
    await this.#peer.close();
  }

  #send(method: string, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    return this.#peer.request(method, params, {
      timeoutMs: options.timeoutMs,
      totalTimeoutMs: this.#options.limits.callTotalTimeoutMs,
      signal: options.signal,
      onProgress: options.onProgress,
      headers: options.headers,
    });
  }

  /** Made once for each host: every call carries it. */
  #envelope(handlers: HostHandlers): JsonObject {
    const known = this.#envelopes.get(handlers);
    if (known) return known;
    const capabilities = { ...declareHost(handlers), extensions: EXTENSIONS };
    const made = {
      ...envelope(this.agreement.protocolVersion, this.#options.clientInfo, capabilities),
      ...(this.#logLevel ? { 'io.modelcontextprotocol/logLevel': this.#logLevel } : {}),
    };
    this.#envelopes.set(handlers, made);
    return made;
  }

  /** Answers the server's questions and builds the retry, its state echoed byte for byte. */
  async #fulfil(
    params: JsonObject,
    result: JsonObject,
    handlers: HostHandlers,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const answers = await this.answerInputs(result['inputRequests'], handlers, signal);
    const state = result['requestState'];
    return {
      ...params,
      ...(Object.keys(answers).length > 0 ? { inputResponses: answers } : {}),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }

  #answer(question: unknown, handlers: HostHandlers, signal: AbortSignal | undefined): Promise<JsonObject> {
    const { server } = this.#options;
    if (!isObject(question) || typeof question['method'] !== 'string') {
      throw new PlugError('protocol_error', `${server} asked for input without saying what for.`, {
        owner: 'server',
        server,
      });
    }
    // JSON came in, so an object is a JsonObject.
    const params = isObject(question['params']) ? (question['params'] as JsonObject) : {};
    const request = { server, method: question['method'], params };
    return askHost(handlers, request, signal ?? new AbortController().signal);
  }

  #tooManyRounds(method: string): PlugError {
    const { server, limits } = this.#options;
    return new PlugError(
      'protocol_error',
      `${server} still wanted more input for ${method} after ${limits.inputRoundsMax} rounds.`,
      { owner: 'server', server },
    );
  }

  #listKinds(): readonly ListKind[] {
    const { capabilities } = this.agreement;
    return (['tools', 'resources', 'prompts'] as const).filter((kind) => isObject(capabilities[kind]));
  }
}

/** The types say so already; a method that comes as a variable is stopped here. */
function isToolCall(method: string): boolean {
  return method === 'tools/call';
}

function notPermitted(server: string): PlugError {
  return new PlugError('denied', `A tool of ${server} was about to be called without a decision.`, {
    owner: 'plugboard',
    server,
  });
}

/** Routes what a server sends unasked. Made before the session, as a server may speak at once. */
export function inboundFor(options: {
  readonly server: string;
  readonly handlers: HostHandlers;
  readonly events: SessionEvents;
}): {
  onRequest: (method: string, params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
  onNotification: (method: string, params: JsonObject) => void;
} {
  const { server, handlers, events } = options;
  return {
    onRequest: async (method, params, signal) => {
      if (method === 'ping') return {};
      const kind = hostRequestKind(method);
      if (kind && !handlers[kind]) events.onHostWanted();
      try {
        return await askHost(handlers, { server, method, params }, signal);
      } catch (error) {
        if (error instanceof PlugError) throw error;
        throw new PlugError('internal', messageOf(error), { owner: 'plugboard', cause: error });
      }
    },
    onNotification: (method, params) => {
      switch (method) {
        case 'notifications/tools/list_changed':
          return events.onListChange('tools');
        case 'notifications/resources/list_changed':
          return events.onListChange('resources');
        case 'notifications/prompts/list_changed':
          return events.onListChange('prompts');
        case 'notifications/resources/updated':
          return typeof params['uri'] === 'string' ? events.onResourceUpdate(params['uri']) : undefined;
        case 'notifications/message':
          return events.onLog({
            level: typeof params['level'] === 'string' ? params['level'] : 'info',
            ...(typeof params['logger'] === 'string' ? { logger: params['logger'] } : {}),
            data: params['data'] ?? null,
          });
        default:
          return undefined; // acknowledgements and what later revisions may add
      }
    },
  };
}
