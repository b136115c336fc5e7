import { gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { Params } from '../params.ts';
import {
  answerError,
  answerJson,
  type Exchange,
  type HttpBehaviour,
  type MakeBehaviour,
} from './behavior.ts';

type Misbehave = (exchange: Exchange, params: Params) => void;

/** Behaves like `inner`, but answers one JSON-RPC method (`method=`, else tools/call) in its own way. */
function badly(inner: MakeBehaviour, misbehave: Misbehave, otherwise = 'tools/call'): MakeBehaviour {
  return (params, stats) => {
    const good = inner(params, stats);
    const bad = params.text('method') ?? otherwise;
    return {
      ...good,
      handle: (exchange) =>
        bad === '*' || exchange.method === bad ? misbehave(exchange, params) : good.handle(exchange),
    };
  };
}

export const big = (inner: MakeBehaviour): MakeBehaviour =>
  badly(inner, ({ response, body }, params) => {
    answerJson(response, 200, resultOf(body, 'x'.repeat(params.number('bytes', 10 * 1024 * 1024))));
  });

/** One event that never ends, as fast as the host reads. */
export const endlessSse = (inner: MakeBehaviour): MakeBehaviour =>
  badly(inner, ({ response }) => {
    startEvents(response);
    response.write('event: message\ndata: {"jsonrpc":"2.0","endless":"');
    const chunk = 'x'.repeat(64 * 1024);
    const pump = (): void => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', pump);
    pump();
  });

/** A small answer that unpacks to `bytes=`: members of a gzip file may stand one after the other. */
export const gzipBomb = (inner: MakeBehaviour): MakeBehaviour =>
  badly(inner, ({ response, body }, params) => {
    const step = 4 * 1024 * 1024;
    const spaces = gzipSync(Buffer.alloc(step, ' '));
    const members = Math.ceil(params.number('bytes', 1024 * 1024 * 1024) / step);
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
    for (let member = 0; member < members; member += 1) response.write(spaces);
    response.end(gzipSync(JSON.stringify(resultOf(body, 'boom'))));
  });

/** Destroys the socket in the middle of an event. */
export const drops = (inner: MakeBehaviour): MakeBehaviour =>
  badly(inner, ({ response, body }) => {
    startEvents(response);
    const event = `event: message\ndata: ${JSON.stringify(resultOf(body, 'half an answer'))}\n\n`;
    response.write(event.slice(0, event.length / 2), () => response.destroy());
  });

/** Accepts and never answers: everything, unless `method=` names one. */
export const hangs = (inner: MakeBehaviour): MakeBehaviour => badly(inner, () => undefined, '*');

/** The first `times=` calls are answered with 429 and `Retry-After: after=`. */
export const rateLimited =
  (inner: MakeBehaviour): MakeBehaviour =>
  (params, stats) => {
    const good = inner(params, stats);
    const limited = params.text('method') ?? 'tools/call';
    let left = params.number('times', 2);
    return {
      ...good,
      handle: (exchange) => {
        if (left === 0 || exchange.method !== limited) return good.handle(exchange);
        left -= 1;
        exchange.response.setHeader('retry-after', params.text('after') ?? '1');
        return answerError(exchange.response, 429, 'Too many requests');
      },
    };
  };

/** Lets in only who brings `token=`, if there is one at all. */
export const unauthorized =
  (inner: MakeBehaviour): MakeBehaviour =>
  (params, stats) => {
    const good = inner(params, stats);
    const token = params.text('token');
    return {
      ...good,
      handle: (exchange) => {
        const { request, response } = exchange;
        if (token !== undefined && request.headers.authorization === `Bearer ${token}`)
          return good.handle(exchange);
        const metadata = params.text('metadata');
        const more = metadata === undefined ? '' : `, resource_metadata="${metadata}"`;
        response.setHeader('www-authenticate', `Bearer realm="fixture", error="invalid_token"${more}`);
        return answerError(response, 401, 'Unauthorized');
      },
    };
  };

/** Sends everybody to `to=` with 307, which keeps method and body. */
export const redirects: MakeBehaviour = (params): HttpBehaviour => ({
  handle: ({ response }) => void response.writeHead(307, { location: params.need('to') }).end(),
});

function startEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

function resultOf(body: unknown, text: string): unknown {
  const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : null;
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', content: [{ type: 'text', text }] } };
}
