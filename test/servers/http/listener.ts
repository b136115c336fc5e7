import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Params } from '../params.ts';
import { answerJson, type HttpBehaviour, type MakeBehaviour, type Stats } from './behavior.ts';

/** Listens on loopback, counts what arrives, and prints one line with the address. */
export function listen(make: MakeBehaviour, params: Params): void {
  const stats: Stats = { requests: 0, sessions: 0, sessionsOpen: 0, methods: {}, verbs: {}, lastHeaders: {} };
  const behavior = make(params, stats);

  const listener = createServer((request, response) => {
    void (async () => {
      const path = request.url ?? '/';
      if (path === '/_stats') return answerJson(response, 200, stats);
      const control = controlsOf(behavior, stop)[path];
      if (control) {
        response.end('{}');
        return control();
      }
      const body = await readBody(request);
      count(stats, request, body);
      return behavior.handle({ request, response, body, method: methodOf(body) });
    })().catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  const stop = (): void => {
    listener.close();
    // The answer to the request that asked for the end is let through.
    setImmediate(() => process.exit(0));
  };
  listener.on('upgrade', (request, socket) => {
    count(stats, request, undefined);
    if (behavior.upgrade) behavior.upgrade(request, socket);
    else socket.destroy();
  });
  listener.listen(params.number('port', 0), '127.0.0.1', () => {
    const { port } = listener.address() as AddressInfo; // a TCP listener has such an address
    const url = `${behavior.scheme ?? 'http'}://127.0.0.1:${port}${behavior.path ?? '/mcp'}`;
    console.log(JSON.stringify({ url }));
  });
  if (params.flag('lifeline')) process.stdin.resume().on('end', () => process.exit(0));
}

function controlsOf(behavior: HttpBehaviour, stop: () => void): NonNullable<HttpBehaviour['controls']> {
  return { '/_die': stop, ...behavior.controls };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding was set
  if (chunks.length === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

function count(stats: Stats, request: IncomingMessage, body: unknown): void {
  stats.requests += 1;
  stats.lastHeaders = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  const verb = request.method ?? '';
  stats.verbs[verb] = (stats.verbs[verb] ?? 0) + 1;
  const method = methodOf(body);
  if (method !== undefined) stats.methods[method] = (stats.methods[method] ?? 0) + 1;
}

function methodOf(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('method' in body)) return undefined;
  return typeof body.method === 'string' ? body.method : undefined;
}
