import { ignore } from '../../base/errors.ts';
import { isDeeper } from '../../base/json-shape.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import { parseJson } from '../../base/parse-json.ts';
import type { Exchange, Gateway, HostIdentity, HostLink, HostSession } from '../gateway.ts';
import { readMessage } from '../http/message.ts';
import { errorText, isRpcId, notificationText, RpcError, rpcCodes, type Answer, type RpcId } from '../rpc.ts';
import { BatchReply, Requests, type HostRequest } from './requests.ts';
import type { ServedLimits } from './serve-stream.ts';
import { refusedVersion } from '../versions.ts';
import { Questions } from './questions.ts';

export interface StreamHostOptions extends HostIdentity {
  readonly gateway: Gateway;
  readonly link: string;
  readonly limits: ServedLimits;
  readonly write: (line: string) => void;
  readonly unreadBytes: () => number;
  readonly onEnd: () => void;
}

/** Each message shows its era: `initialize` opens a legacy session, modern requests name a version. */
export class StreamHost {
  readonly #options: StreamHostOptions;
  readonly #requests: Requests;
  readonly #questions: Questions;
  /** A promise: messages sent before `initialize` is answered belong to it too. */
  #session: Promise<HostSession> | undefined;
  #opened: HostSession | undefined;
  #version: unknown;
  readonly #ended = new AbortController();
  #gone = false;

  constructor(options: StreamHostOptions) {
    this.#options = options;
    const { limits, link, write } = options;
    this.#questions = new Questions({ stream: link, questionsMax: limits.questionsMax, write });
    this.#requests = new Requests({
      atOnceMax: limits.hostCallsAtOnceMax,
      answer: (request, exchange) => this.#answer(request, exchange),
      notify: (method, params) => this.#notify(method, params),
      mayBegin: () => options.unreadBytes() < limits.unreadBeforeWaitBytes,
      onEnd: () => {
        this.#requests.pump();
        options.onEnd();
      },
    });
  }

  get open(): number {
    return this.#requests.open;
  }

  /** A host that must answer a question is still read: the answer may be behind its requests. */
  get isFull(): boolean {
    return this.#requests.waitingChars > this.#options.limits.waitingCharsMax && this.#questions.open === 0;
  }

  receive(line: string): void {
    let value: unknown;
    try {
      value = parseJson(line);
    } catch {
      return this.refuse(null, rpcCodes.parseError, 'The line is not JSON.');
    }
    if (isDeeper(value, limits.messageDepthMax, line.length)) return this.#refuseDeep(value);
    if (Array.isArray(value)) this.#receiveBatch(value, line.length);
    else this.#receiveOne(value, line.length, this.#place);
  }

  refuse(id: RpcId | null, code: number, why: string): void {
    this.#options.write(errorText(id, new RpcError(code, why)));
  }

  /** Of a batch, nothing is looked at. */
  #refuseDeep(value: unknown): void {
    const id = isObject(value) ? value['id'] : undefined;
    const why = `The message is nested deeper than ${limits.messageDepthMax} levels.`;
    this.refuse(isRpcId(id) ? id : null, rpcCodes.invalidRequest, why);
  }

  pump(): void {
    this.#requests.pump();
  }

  /** Half-closed: it still reads. */
  endInput(): void {
    this.#questions.end();
    this.#requests.endListening();
  }

  async close(): Promise<void> {
    this.#gone = true;
    this.#questions.end();
    this.#requests.abortAll();
    this.#ended.abort();
    const session = this.#session;
    this.#session = undefined;
    this.#opened = undefined;
    await session?.then(
      (opened) => opened.close(),
      () => undefined, // it was never opened, and the host was told why
    );
  }

  readonly #reply = (text: string | undefined): void => {
    if (text !== undefined) this.#options.write(text);
  };
  readonly #place = (): HostRequest['reply'] => this.#reply;

  #receiveBatch(values: readonly unknown[], chars: number): void {
    const { batchMessagesMax } = this.#options.limits;
    if (this.#version !== BATCH_VERSION) {
      this.refuse(null, rpcCodes.invalidRequest, 'Batches exist only in protocol version 2025-03-26.');
    } else if (values.length === 0 || values.length > batchMessagesMax) {
      this.refuse(null, rpcCodes.invalidRequest, `A batch has 1 to ${batchMessagesMax} messages.`);
    } else {
      const batch = new BatchReply((line) => this.#options.write(line));
      for (const value of values) this.#receiveOne(value, chars / values.length, () => batch.place());
      batch.close();
    }
  }

  #receiveOne(value: unknown, chars: number, place: () => HostRequest['reply']): void {
    const message = readMessage(value);
    switch (message.kind) {
      case 'request':
        return this.#requests.add({ ...message, chars, reply: place() });
      case 'notification':
        return this.#hear(message.method, message.params);
      case 'response':
        return this.#questions.answer(message.id, message.outcome);
      case 'invalid': {
        const why = new RpcError(rpcCodes.invalidRequest, `The message was refused: ${message.why}.`);
        return place()(errorText(message.id, why));
      }
    }
  }

  #answer({ id, method, params }: HostRequest, exchange: Exchange): Promise<Answer> {
    if (method === 'initialize') return this.#initialize(params);
    const version = versionOf(params);
    if (version !== undefined || method === 'server/discover') {
      const refused = version === undefined ? undefined : refusedVersion(version);
      if (refused) return Promise.reject(refused);
      const { gateway, scope, principal, host, link, cwd } = this.#options;
      const linkEnded = this.#ended.signal;
      const request = { id, method, params, scope, principal, host, link, linkEnded, cwd };
      return gateway.request(request, exchange);
    }
    if (method === 'ping') return PONG;
    if (this.#opened) return this.#opened.request(method, params, exchange);
    if (!this.#session) return Promise.reject(neitherEra());
    return this.#session.then((session) => session.request(method, params, exchange));
  }

  /** Initializing again replaces the session. */
  async #initialize(params: JsonObject): Promise<Answer> {
    const before = this.#session;
    const opening = this.#options.gateway.initialize(params, this.#link());
    const session = opening.then((opened) => opened.session);
    this.#opened = undefined;
    this.#session = session;
    ignore(session, 'the host is told with the answer to its request');
    const left = before?.then((old) => old.close());
    if (left) ignore(left, 'the host has left it');
    try {
      const opened = await opening;
      if (this.#gone) await opened.session.close();
      else if (this.#session === session) {
        this.#opened = opened.session;
        this.#version = opened.result['protocolVersion'];
      }
      return opened.result;
    } catch (error) {
      if (this.#session === session) this.#session = undefined;
      throw error;
    }
  }

  #link(): HostLink {
    const { scope, principal, host, cwd } = this.#options;
    return {
      scope,
      principal,
      host,
      cwd,
      ask: (method, params, { signal }) => this.#questions.ask(method, params, signal),
      notify: (method, params) => this.#notify(method, params),
    };
  }

  #hear(method: string, params: JsonObject): void {
    if (method === 'notifications/cancelled') {
      const id = params['requestId'];
      if (isRpcId(id)) this.#requests.cancel(id);
    } else if (this.#opened) this.#opened.notification(method, params);
    else if (this.#session) {
      const heard = this.#session.then((session) => session.notification(method, params));
      ignore(heard, 'without a session nobody wants to know');
    }
  }

  /** Notifications are dropped before the stream is. */
  #notify(method: string, params: JsonObject): void {
    if (this.#gone || this.#options.unreadBytes() > this.#options.limits.unreadBytesMax) return;
    this.#options.write(notificationText(method, params));
  }
}

const BATCH_VERSION = '2025-03-26';

const PONG: Promise<Answer> = Promise.resolve({});

/** Only modern requests name it. */
function versionOf(params: JsonObject): unknown {
  const meta = params['_meta'];
  return isObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined;
}

function neitherEra(): RpcError {
  return new RpcError(
    rpcCodes.invalidRequest,
    'Send initialize first, or name the protocol version in _meta of the request.',
  );
}
