import { ignore, PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { serverFailure } from './failures.ts';
import { Envelopes, type Agreement } from './handshake.ts';
import { askHost } from './host-answers.ts';
import type { HostHandlers, HostPlace, ServerRound } from './host.ts';
import { type Asker, type InFlight, type LinkLog, lowestLevel } from './in-flight.ts';
import type { Bounds } from './limits.ts';
import { Listener } from './listener.ts';
import type { Peer, PeerRequestOptions } from './peer.ts';
import { CallPermit } from './permit.ts';
import type { Verdict } from './store.ts';

export interface SessionEvents {
  onListChange(): void;
  onResourceUpdate(uri: string): void;
  /** `task` as the server describes it. */
  onTaskStatus(task: JsonObject): void;
  onLog(entry: LinkLog): void;
  /** The server asked a question that only a host of its own could answer. */
  onHostWanted(): void;
  onEnd(error: PlugError): void;
}

export interface SessionOptions extends Bounds {
  readonly server: string;
  readonly peer: Peer;
  readonly agreement: Agreement;
  readonly transport: Verdict['transport'];
  /** The identity that it was opened as; undefined where there are no accounts. */
  readonly account?: string | undefined;
  readonly clientInfo: JsonObject;
  readonly handlers: HostHandlers;
  readonly inFlight: InFlight;
  readonly events: SessionEvents;
}

export interface SessionRequestOptions extends Pick<
  PeerRequestOptions,
  'timeoutMs' | 'signal' | 'onProgress' | 'headers'
> {
  /** Of the host that this request is made for, instead of the session's own. */
  readonly handlers?: HostHandlers | undefined;
  readonly host?: HostPlace | undefined;
  /** Told of log messages from `logLevel` on while this runs. */
  readonly onLog?: Asker['onLog'];
  readonly logLevel?: string | undefined;
}

/** Every method but tools/call, which takes a permit. */
type Method<M extends string> = M extends 'tools/call' ? never : M;

/** Requests made for a host, which the server may ask back. */
const ON_BEHALF: ReadonlySet<string> = new Set(
  'tools/call prompts/get resources/read completion/complete tasks/result'.split(' '),
);

const LISTS = ['tools', 'resources', 'prompts'] as const;

/** A negotiated link to one server: requests in the form of its era, answers as they came. */
export class Session {
  readonly agreement: Agreement;
  readonly transport: SessionOptions['transport'];
  readonly account: string | undefined;
  readonly #options: SessionOptions;
  readonly #peer: Peer;
  readonly #listener: Listener | undefined;
  readonly #envelopes: Envelopes;
  /** On modern links sent with each request, on legacy ones told once. */
  #logLevel: string | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#peer = options.peer;
    this.agreement = options.agreement;
    this.transport = options.transport;
    this.account = options.account;
    this.#envelopes = new Envelopes(options.agreement, options.clientInfo);
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
            { notifications: filter, _meta: this.#envelopes.of(undefined, undefined) },
            { timeoutMs: Infinity, signal },
          ),
        // Changes may have been missed meanwhile: read everything again.
        onReopen: () => {
          const { capabilities } = options.agreement;
          for (const kind of LISTS) if (isObject(capabilities[kind])) options.events.onListChange();
        },
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

  get server(): string {
    return this.#options.server;
  }

  /** On legacy links the server sends changes unasked. */
  listen(): void {
    this.#listener?.start();
  }

  request<M extends string>(
    method: Method<M>,
    params: JsonObject,
    options: SessionRequestOptions,
  ): Promise<JsonObject> {
    // The types say so already; this stops a method that comes as a variable.
    if (isToolCall(method)) return Promise.reject(notPermitted(this.server));
    return this.#request(method, params, options);
  }

  /** `params` holds the tool and the very arguments that the permit was given for. */
  callTool(permit: CallPermit, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    if (!CallPermit.covers(permit, params, this.account)) {
      return Promise.reject(notPermitted(this.server));
    }
    return this.#request('tools/call', params, options);
  }

  #request(method: string, params: JsonObject, options: SessionRequestOptions): Promise<JsonObject> {
    const asker = this.#asker(method, options);
    if (!asker) return this.#ask(method, params, options, undefined);
    const ask = (): Promise<JsonObject> => this.#askFor(asker, method, params, options);
    const wanted = this.modern ? undefined : asker.logLevel;
    return wanted === undefined ? ask() : this.#lowerLevel(wanted).then(ask);
  }

  /** In flight until it is answered; the bookkeeping delays nothing. */
  #askFor(
    asker: Asker,
    method: string,
    params: JsonObject,
    options: SessionRequestOptions,
  ): Promise<JsonObject> {
    const { inFlight } = this.#options;
    const place = inFlight.begin(asker);
    const asking = this.#ask(method, params, options, asker.handlers);
    const end = (): void => inFlight.end(place);
    ignore(asking.then(end, end), 'the answer is told to whoever asked');
    return asking;
  }

  /** Undefined for a request of our own. */
  #asker(method: string, { handlers, host, onLog, logLevel }: SessionRequestOptions): Asker | undefined {
    if (!handlers && !onLog && !ON_BEHALF.has(method)) return undefined;
    // Two requests without a host id count as two hosts.
    const who = host?.id ?? handlers;
    return { who, handlers: handlers ?? this.#options.handlers, host, onLog, logLevel };
  }

  #ask(
    method: string,
    params: JsonObject,
    options: SessionRequestOptions,
    handlers: HostHandlers | undefined,
  ): Promise<JsonObject> {
    if (this.modern) return this.#askInRounds(method, params, options, handlers);
    if (isRetry(params)) return Promise.reject(noRounds(this.server));
    return this.#send(method, params, options).then(asLegacyResult);
  }

  /** A modern server asks in its result; the request is then made again with the answers. */
  async #askInRounds(
    method: string,
    params: JsonObject,
    options: SessionRequestOptions,
    handlers: HostHandlers | undefined,
  ): Promise<JsonObject> {
    const { server } = this;
    const { inputRoundsMax } = this.#options.limits;
    const given = params['_meta'];
    const own = this.#envelopes.of(handlers, lowestLevel(options.logLevel, this.#logLevel));
    const _meta = isObject(given) ? { ...own, ...given } : own;
    let dressed: JsonObject = { ...params, _meta };
    // Answers that the host brought along belong to the first round.
    const asked = isRetry(params) ? withoutAnswers(dressed) : dressed;
    for (let round = 0; ; round += 1) {
      const result = await this.#send(method, dressed, options);
      if (result['resultType'] !== 'input_required') return result;
      if (round >= inputRoundsMax) {
        const message = `${server} still wanted more input for ${method} after ${inputRoundsMax} rounds.`;
        throw serverFailure('protocol_error', server, message);
      }
      dressed = await this.#fulfil(asked, result, handlers, options.signal);
    }
  }

  async answerInputs(
    inputRequests: unknown,
    handlers: HostHandlers = this.#options.handlers,
    signal?: AbortSignal,
    round?: ServerRound,
  ): Promise<JsonObject> {
    const questions = isObject(inputRequests) ? Object.entries(inputRequests) : [];
    const answers: [string, JsonObject][] = await Promise.all(
      questions.map(async ([key, question]) => [
        key,
        await this.#answer({ key, question, round }, handlers, signal),
      ]),
    );
    return Object.fromEntries(answers);
  }

  async setLogLevel(level: string, timeoutMs: number): Promise<void> {
    if (!this.modern) await this.request('logging/setLevel', { level }, { timeoutMs });
    this.#logLevel = level;
  }

  /** On a host's own connection: a legacy server may now ask for its roots again. */
  rootsChanged(): void {
    if (this.modern) return; // modern servers ask for roots whenever they need them
    ignore(this.#peer.notify('notifications/roots/list_changed'), 'whoever has gone needs no news');
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
    await this.request<string>(this.modern ? 'server/discover' : 'ping', {}, { timeoutMs });
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

  /** A legacy link has one level for all: the lowest that any host wants. */
  async #lowerLevel(level: string): Promise<void> {
    const { limits } = this.#options;
    if (!isObject(this.agreement.capabilities['logging'])) return;
    if (lowestLevel(this.#logLevel, level) === this.#logLevel) return;
    this.#logLevel = level;
    // Awaited, as over HTTP a later request may overtake it. A refusal costs the logs, not the call.
    const told = this.request('logging/setLevel', { level }, { timeoutMs: limits.healthTimeoutMs });
    await Promise.allSettled([told]);
  }

  /** Builds the retry with the answers; the server's state is echoed byte for byte. */
  async #fulfil(
    params: JsonObject,
    result: JsonObject,
    handlers: HostHandlers | undefined,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const state = result['requestState'];
    const answers = await this.answerInputs(result['inputRequests'], handlers, signal, { state });
    return {
      ...params,
      ...(Object.keys(answers).length > 0 ? { inputResponses: answers } : {}),
      ...(state === undefined ? {} : { requestState: state }),
    };
  }

  #answer(
    { key, question, round }: AskedQuestion,
    handlers: HostHandlers,
    signal: AbortSignal | undefined,
  ): Promise<JsonObject> {
    const { server } = this.#options;
    if (!isObject(question) || typeof question['method'] !== 'string') {
      throw serverFailure('protocol_error', server, `${server} asked for input without saying what for.`);
    }
    // JSON came in, so an object is a JsonObject.
    const params = isObject(question['params']) ? (question['params'] as JsonObject) : {};
    const request = { server, method: question['method'], params, key, round };
    return askHost(handlers, request, signal ?? new AbortController().signal);
  }
}

interface AskedQuestion {
  readonly key: string;
  readonly question: unknown;
  readonly round: ServerRound | undefined;
}

function isRetry(params: JsonObject): boolean {
  return params['inputResponses'] !== undefined || params['requestState'] !== undefined;
}

function withoutAnswers(params: JsonObject): JsonObject {
  const { inputResponses: _answers, requestState: _state, ...call } = params;
  return call;
}

/** It would take the retry for a new call, and do its work again. */
function noRounds(server: string): PlugError {
  const message = `${server} asks while a call runs, and no such call waits here: make the call again, without answers.`;
  return new PlugError('usage', message, { owner: 'you', server });
}

/**
 * The field means nothing in a legacy result; a modern host would take it for a question or a task.
 * A task handle in place of the content is followed all the same: there is nothing else in it.
 */
function asLegacyResult(result: JsonObject): JsonObject {
  const { resultType, content } = result;
  if (resultType === undefined || resultType === 'complete') return result;
  if (resultType === 'task' && content === undefined) return result;
  const { resultType: _, ...rest } = result;
  return rest;
}

function isToolCall(method: string): boolean {
  return method === 'tools/call';
}

function notPermitted(server: string): PlugError {
  const message = `A tool of ${server} was about to be called without a decision.`;
  return new PlugError('denied', message, { owner: 'plugboard', server });
}
