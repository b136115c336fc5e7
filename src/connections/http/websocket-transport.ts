import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { parseJson } from '../../base/parse-json.ts';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { type Dispatcher, ping, WebSocket } from 'undici';
import { PlugError } from '../../base/errors.ts';
import { guarded } from '../../base/faults.ts';
import { isDeeper } from '../../base/json-shape.ts';
import { isObject } from '../../base/json.ts';
import { inPlaceOfDeep } from '../frame-depth.ts';
import type { Bounds } from '../limits.ts';
import { networkError, placeOf } from './network-error.ts';
import { refusedRedirect } from './redirects.ts';

export interface WebSocketTransportOptions extends Bounds {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
}

/** MCP over one WebSocket: a JSON-RPC message is a text message, subprotocol `mcp`. */
export class WebSocketTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly #options: WebSocketTransportOptions;
  readonly #place: string;
  readonly #ended = Promise.withResolvers<void>();
  #socket: WebSocket | undefined;
  #stopPings: () => void = () => undefined;
  #state: 'new' | 'opening' | 'open' | 'closing' | 'closed' = 'new';

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
    this.#place = placeOf(options.url);
  }

  start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('This WebSocket transport has been started before.');
    this.#state = 'opening';
    const { url, headers, dispatcher } = this.#options;
    const seen: Handshake = {};
    const socket = new WebSocket(url, {
      protocols: ['mcp'],
      headers: { ...headers },
      dispatcher: dispatcher.compose(watchHandshake(seen)),
    });
    this.#socket = socket;
    const receive = ({ data }: { readonly data: unknown }): void => this.#receive(data);
    socket.addEventListener(
      'message',
      guarded('a message of a server', receive, () => socket.close()),
    );
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => {
        if (this.#state !== 'opening') return;
        this.#state = 'open';
        this.#stopPings = this.#keepAlive(socket);
        resolve();
      });
      // In undici a close always follows an error.
      socket.addEventListener('close', (event) => {
        reject(refusedHandshake(seen, url, this.#place));
        this.#end(event.code);
      });
      socket.addEventListener('error', () => undefined);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const socket = this.#socket;
    if (this.#state !== 'open' || socket === undefined) {
      return Promise.reject(gone(`The WebSocket to ${this.#place} is not open.`));
    }
    const text = JSON.stringify(message);
    if (socket.bufferedAmount + text.length > this.#options.limits.writeQueueBytesMax) {
      const message = `${this.#place} does not read what is sent to it.`;
      return Promise.reject(new PlugError('unavailable', message, { owner: 'server' }));
    }
    socket.send(text);
    return Promise.resolve();
  }

  /** Waits a moment for the server's close; a socket that stays goes when the HTTP client is closed. */
  close(): Promise<void> {
    if (this.#state === 'new') this.#end(1000);
    if (this.#state === 'opening' || this.#state === 'open') {
      this.#state = 'closing';
      this.#socket?.close(1000);
      this.#options.clock.after(this.#options.limits.wsCloseMs, () => this.#end(1000));
    }
    return this.#ended.promise;
  }

  #receive(data: unknown): void {
    if (this.#state !== 'open') return;
    if (typeof data !== 'string') return this.#complain(`${this.#place} sent a binary message.`);
    for (const message of parse(data, this.#options.limits.messageDepthMax)) {
      if (message === undefined) this.#complain(`${this.#place} sent a message that is not JSON-RPC.`);
      else this.onmessage?.(message);
    }
  }

  /** A peer that has vanished sends no close: only a missing pong tells. */
  #keepAlive(socket: WebSocket): () => void {
    const { clock, limits } = this.#options;
    let alive = true;
    const onPong = (event: unknown): void => {
      if (isObject(event) && event['websocket'] === socket) alive = true;
    };
    subscribe('undici:websocket:pong', onPong);
    socket.addEventListener('message', () => {
      alive = true;
    });
    const cancel = clock.every(limits.wsPingMs, () => {
      if (!alive) {
        this.#state = 'closing';
        this.onerror?.(gone(`${this.#place} no longer answers on its WebSocket.`));
        socket.close();
        this.#end(1006);
        return;
      }
      alive = false;
      ping(socket);
    });
    return () => {
      cancel();
      unsubscribe('undici:websocket:pong', onPong);
    };
  }

  #complain(message: string): void {
    this.onerror?.(new PlugError('protocol_error', message, { owner: 'server' }));
  }

  #end(code: number): void {
    if (this.#state === 'closed') return;
    const unexpected = this.#state === 'open' && code !== 1000 && code !== 1001;
    this.#state = 'closed';
    this.#stopPings();
    if (unexpected) {
      const megabytes = Math.round(this.#options.limits.messageBytesMax / (1024 * 1024));
      const why = `it disconnected, or sent a message over ${megabytes} MB`;
      this.onerror?.(gone(`The WebSocket to ${this.#place} broke off (${code}): ${why}.`));
    }
    this.#ended.resolve();
    this.onclose?.();
  }
}

/** Some programs write one first; JSON has none. */
const BYTE_ORDER_MARK = 0xfeff;

/** Only the envelope is checked. */
function parse(text: string, depthMax: number): readonly (JSONRPCMessage | undefined)[] {
  try {
    const value: unknown = parseJson(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (isDeeper(value, depthMax, text.length)) return items.map((item) => inPlaceOfDeep(item, depthMax));
    return items.map((item) =>
      isObject(item) && item['jsonrpc'] === '2.0' && ('method' in item || 'id' in item)
        ? (item as unknown as JSONRPCMessage) // its envelope was just checked
        : undefined,
    );
  } catch {
    return [undefined];
  }
}

/** The outcome of the opening request; the WebSocket itself only tells that it failed. */
interface Handshake {
  status?: number;
  location?: string;
  error?: unknown;
}

function watchHandshake(seen: Handshake): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(
      options,
      new Proxy(handler, {
        get(target, name) {
          const value: unknown = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]): unknown => {
            if (name === 'onResponseStart') noteStart(seen, args[1], args[2]);
            if (name === 'onResponseError') seen.error ??= args[1];
            return Reflect.apply(value, target, args);
          };
        },
      }),
    );
}

function noteStart(seen: Handshake, status: unknown, headers: unknown): void {
  if (typeof status !== 'number') return;
  seen.status = status;
  const location = isObject(headers) ? headers['location'] : undefined;
  if (typeof location === 'string') seen.location = location;
}

function refusedHandshake(seen: Handshake, url: URL, place: string): PlugError {
  if (seen.error !== undefined) return networkError(seen.error, url);
  if (seen.status === 401 || seen.status === 403) {
    return new PlugError('sign_in_needed', `${place} refused the WebSocket: sign-in is needed.`, {
      owner: 'you',
      details: { httpStatus: seen.status },
    });
  }
  const { status = 101, location } = seen;
  // A WebSocket follows no redirect at all (WebSockets standard, opening handshake).
  const moved = refusedRedirect({ url, method: 'CONNECT', status, location });
  if (moved) return moved;
  const said = seen.status === undefined ? 'without the “mcp” subprotocol' : `with HTTP ${seen.status}`;
  return new PlugError('start_failed', `${place} answered the WebSocket handshake ${said}.`, {
    owner: 'server',
    remedy: 'Check that the address is that of a WebSocket endpoint for MCP.',
    details: { httpStatus: status },
  });
}

function gone(message: string): PlugError {
  return new PlugError('unreachable', message, { owner: 'network' });
}
