import {
  Agent,
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Clock } from '../../base/clock.ts';
import { hasCode, messageOf, PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import type { Logger } from '../../base/logger.ts';
import { teamLimits } from '../limits.ts';

/** Says that another replica has sent it on: it is answered here, or not at all. */
export const FORWARDED_HEADER = 'plug-forwarded';
/** In an answer: nothing was done, as the rows are held elsewhere. */
export const MOVED_HEADER = 'plug-moved';

export type Sent =
  | 'answered'
  /** It never arrived. */
  | 'unreachable'
  | 'moved';

export interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly address: string;
}

/** Hands requests on to other replicas, as they came: who asks is found out there once more. */
export class Forwarder implements Disposable {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #options: { readonly clock: Clock; readonly logger: Logger };
  readonly #underWay = new Map<string, Set<ClientRequest>>();

  constructor(options: { readonly clock: Clock; readonly logger: Logger }) {
    this.#options = options;
  }

  /** A replica was taken for dead: what waits for its answers need not wait any longer. */
  end(address: string): void {
    for (const passed of this.#underWay.get(address) ?? []) passed.destroy(new Error('its replica has died'));
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  send(forwarding: Forwarding): Promise<Sent> {
    const { request, response, body, address } = forwarding;
    const { promise, resolve } = Promise.withResolvers<Sent>();
    let isSent = false;
    const { clock, logger } = this.#options;
    const { hostname, port } = new URL(address);
    const passed = httpRequest({
      host: hostname,
      port,
      method: request.method,
      path: request.url,
      agent: this.#agent,
      headers: { ...withoutHops(request.headers), 'content-length': body.length, [FORWARDED_HEADER]: '1' },
    });
    // A kept connection has no event of its own for its beginning.
    passed.on('socket', (socket) => {
      if (!socket.connecting) isSent = true;
      else socket.once('connect', () => (isSent = true));
    });
    const cancel = clock.after(teamLimits.forwardConnectMs, () => {
      if (!isSent) passed.destroy(new Error('it does not answer'));
    });
    const underWay = this.#underWay.get(address) ?? new Set();
    this.#underWay.set(address, underWay.add(passed));
    passed.once('close', () => {
      cancel();
      underWay.delete(passed);
    });
    const onGone = (): void => void passed.destroy();
    response.once('close', onGone);
    passed.on('error', (error) => {
      if (response.destroyed) return resolve('answered');
      if (!isSent && !hasCode(error, 'ECONNRESET')) return resolve('unreachable');
      logger.warn('a replica ended before its answer', { replica: address, error: messageOf(error) });
      answerUnknown(forwarding);
      resolve('answered');
    });
    passed.on('response', (answer) => {
      if (answer.headers[MOVED_HEADER] !== undefined) {
        response.off('close', onGone);
        answer.resume();
        return resolve('moved');
      }
      response.writeHead(answer.statusCode ?? 502, withoutHops(answer.headers));
      response.flushHeaders();
      answer.pipe(response, { end: false });
      answer.once('close', () => {
        if (!answer.complete) endUnknown(forwarding, answer);
        else response.end();
        resolve('answered');
      });
    });
    passed.end(body);
    return promise;
  }
}

/** Small enough to be held until it is known who answers. */
export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += (part as Buffer).length; // without an encoding, parts are bytes
    if (bytes > teamLimits.forwardBytesMax) {
      throw new PlugError('too_large', 'The request is too large.', { owner: 'you' });
    }
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/** Of a connection, not of what is said on it. */
const HOPS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-authorization',
  'proxy-connection',
  'content-length',
]);

function withoutHops(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOPS.has(name)));
}

/** Nothing of an answer has been said. */
function answerUnknown({ response, body }: Forwarding): void {
  if (response.headersSent) return void response.destroy();
  const id = requestIdIn(body);
  response.writeHead(id === undefined ? 502 : 200, { 'content-type': 'application/json' });
  response.end(id === undefined ? JSON.stringify({ error: UNKNOWN.toView() }) : unknownAnswer(id));
}

/** A stream of events can still say it; anything else shows that it is torn. */
function endUnknown({ response, body }: Forwarding, answer: IncomingMessage): void {
  const id = requestIdIn(body);
  const isEvents = answer.headers['content-type']?.startsWith('text/event-stream') === true;
  if (!isEvents || id === undefined) return void response.destroy();
  response.end(`\n\nevent: message\ndata: ${unknownAnswer(id)}\n\n`);
}

const UNKNOWN = new PlugError(
  'unavailable',
  'The process that worked on this ended. Whether it took effect is not known.',
  { owner: 'plugboard', remedy: 'Look what it has done before you repeat it.' },
);

/** The id of a request of JSON-RPC, in which its answer has to be. */
function unknownAnswer(id: string | number): string {
  const error = { code: -32_603, message: UNKNOWN.message, data: { plugboard: UNKNOWN.toView() } };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

function requestIdIn(body: Buffer): string | number | undefined {
  try {
    const said: unknown = JSON.parse(body.toString());
    if (!isObject(said) || said['jsonrpc'] !== '2.0' || typeof said['method'] !== 'string') return undefined;
    const { id } = said;
    return typeof id === 'string' || typeof id === 'number' ? id : undefined;
  } catch {
    return undefined;
  }
}
