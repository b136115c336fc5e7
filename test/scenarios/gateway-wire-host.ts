import { isObject, type JsonObject } from '../../src/base/json.ts';
import { waitFor } from '../servers/start.ts';
import { wires, type Message, type Wire, type WireKind, type WireTarget } from './gateway-wire.ts';

export type Era = 'legacy' | 'modern';

/** Starting a server takes long on a busy machine. */
export const WAIT_MS = 30_000;

const CAPABILITIES: JsonObject = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };

/** What a host answers when a server asks, unless a test says otherwise. */
export const ANSWERS: Readonly<Record<string, JsonObject>> = {
  'elicitation/create': { action: 'accept', content: { name: 'Ada' } },
  'sampling/createMessage': { role: 'assistant', content: { type: 'text', text: 'Hello.' }, model: 'm' },
  'roots/list': { roots: [{ uri: 'file:///home/ada/work', name: 'work' }] },
};

export interface Told {
  readonly method: string;
  readonly params: JsonObject;
}

/** The JSON-RPC error that a host was answered. */
class WireError extends Error {
  override readonly name = 'WireError';
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: JsonObject) {
    super(message as string); // as specified
    this.code = Number(code);
    this.data = data;
  }
}

export interface WireHostOptions {
  readonly capabilities?: JsonObject;
  readonly version?: string;
  readonly path?: string;
}

/** Opens a host of either era over any wire; a legacy one has initialized. */
export async function openWireHost(
  target: WireTarget,
  era: Era,
  kind: WireKind,
  options: WireHostOptions = {},
): Promise<WireHost> {
  const host = new WireHost(era, options.capabilities ?? CAPABILITIES);
  host.wire = await wires[kind](target, (message) => host.take(message), options.path);
  if (era === 'legacy') await host.initialize(options.version ?? '2025-11-25');
  return host;
}

/** A host by hand: it sends, answers what it is asked, and remembers everything that it heard. */
export class WireHost {
  readonly era: Era;
  readonly asked: Told[] = [];
  readonly notes: Told[] = [];
  /** Answers to requests that nobody waits for: somebody else’s, or given up. */
  readonly strays: Message[] = [];
  answer: (method: string, params: JsonObject) => JsonObject | Promise<JsonObject> = (method) =>
    ANSWERS[method] ?? {};
  wire!: Wire; // set by whoever opens it
  readonly #capabilities: JsonObject;
  readonly #waiting = new Map<unknown, PromiseWithResolvers<JsonObject>>();
  #lastId = 0;

  constructor(era: Era, capabilities: JsonObject) {
    this.era = era;
    this.#capabilities = capabilities;
  }

  async initialize(protocolVersion: string): Promise<JsonObject> {
    const clientInfo = { name: 'a wire', version: '1' };
    const params = { protocolVersion, capabilities: this.#capabilities, clientInfo };
    const result = await this.request('initialize', params);
    await this.wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return result;
  }

  /** Rejects with the WireError that it was answered, or when the signal gives it up. */
  request(method: string, given: JsonObject = {}, signal?: AbortSignal): Promise<JsonObject> {
    this.#lastId += 1;
    const id = this.#lastId;
    const params = this.era === 'modern' ? modernParams(given, this.#capabilities) : given;
    const waiting = Promise.withResolvers<JsonObject>();
    this.#waiting.set(id, waiting);
    signal?.addEventListener(
      'abort',
      () => {
        this.#waiting.delete(id);
        waiting.reject(new Error('The host gave it up.'));
        this.wire.cancel(id);
      },
      { once: true },
    );
    this.wire.send({ jsonrpc: '2.0', id, method, params }).catch((error: unknown) => {
      if (this.#waiting.delete(id)) waiting.reject(error);
    });
    return waiting.promise;
  }

  /** Calls to the end: a modern host calls again with the answers to what it was asked. */
  async call(
    name: string,
    args: JsonObject = {},
    meta: JsonObject = {},
    signal?: AbortSignal,
  ): Promise<JsonObject> {
    const params = { name, arguments: args, _meta: meta };
    let result = await this.request('tools/call', params, signal);
    while (result['resultType'] === 'input_required') {
      const inputResponses = await this.#answersTo(result['inputRequests']);
      const { requestState } = result;
      result = await this.request('tools/call', { ...params, requestState, inputResponses }, signal);
    }
    return result;
  }

  /** Watches the list of tools and one resource, in the way of its era. */
  async watch(uri: string): Promise<void> {
    if (this.era === 'legacy') {
      await this.request('resources/subscribe', { uri });
      return;
    }
    const notifications = { toolsListChanged: true, resourceSubscriptions: [uri] };
    this.request('subscriptions/listen', { notifications }).catch(() => undefined); // ends with the host
    await waitFor(() => this.told('notifications/subscriptions/acknowledged').length > 0, WAIT_MS);
  }

  /** The parameters of all notifications of one kind. */
  told(method: string): readonly JsonObject[] {
    return this.notes.filter((note) => note.method === method).map(({ params }) => params);
  }

  take(message: Message): void {
    const { id, method } = message;
    const params = isObject(message['params']) ? message['params'] : {};
    if (typeof method === 'string') {
      if (id === undefined) this.notes.push({ method, params });
      else void this.#answerQuestion(id, method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    if (!waiting) {
      this.strays.push(message);
      return;
    }
    this.#waiting.delete(id);
    if (isObject(message['error'])) waiting.reject(new WireError(message['error']));
    else waiting.resolve(message['result'] as JsonObject); // as specified
  }

  async #answerQuestion(id: unknown, method: string, params: JsonObject): Promise<void> {
    this.asked.push({ method, params });
    const result = await this.answer(method, params);
    await this.wire.send({ jsonrpc: '2.0', id: id as string, result }); // whatever it was, it goes back
  }

  async #answersTo(requests: unknown): Promise<JsonObject> {
    const responses: Record<string, JsonObject> = {};
    for (const [key, request] of Object.entries(isObject(requests) ? requests : {})) {
      const { method, params } = request as Told; // as specified
      this.asked.push({ method, params });
      responses[key] = await this.answer(method, params);
    }
    return responses;
  }
}

export function modernParams(params: JsonObject, capabilities: JsonObject = CAPABILITIES): JsonObject {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      'io.modelcontextprotocol/clientInfo': { name: 'a wire', version: '1' },
      ...meta,
    },
  };
}

/** The text of a tool's answer. */
export function textIn(result: JsonObject): string {
  const [first] = (result['content'] ?? []) as { readonly text?: string }[]; // the fixtures answer so
  return first?.text ?? JSON.stringify(result);
}
