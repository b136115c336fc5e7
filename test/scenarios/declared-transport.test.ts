import { once } from 'node:events';
import { createServer, request as ask } from 'node:http';
import { pipeline } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { verifies } from '../requirements.ts';
import { startHttpFixture } from '../servers/start.ts';
import { remote, textOf, withHub } from './lifecycle-hub.ts';

const LONG_MS = 60_000;

function asSse(id: string, url: string): ServerDefinition {
  return defineServer({ id, endpoint: { kind: 'sse', url, headers: {} } });
}

/** Opens an event stream for every GET, as some stateless servers do, and passes the rest to the server behind it. */
async function withSilentStream(behind: string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url !== '/mcp') return void response.writeHead(404).end();
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n');
      return undefined;
    }
    return void pipeline(
      request,
      ask(behind, { method: request.method, headers: request.headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => undefined);
      }),
      () => undefined,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`; // a TCP listener has such an address
}

verifies(
  ['C1'],
  'a server is reached although its definition names the other HTTP transport, also the next time',
  async () => {
    await using stateful = await startHttpFixture('legacy-stateful-sse');
    await using stateless = await startHttpFixture('legacy-stateless');
    await using modern = await startHttpFixture('modern');
    await using sse = await startHttpFixture('legacy-sse');
    const definitions = [
      asSse('stateful', stateful.url),
      asSse('stateless', stateless.url),
      asSse('modern', modern.url),
      remote('old', sse.url),
    ];
    await withHub({}, async ({ hub }) => {
      await hub.servers.apply({ definitions });
      for (const { id } of definitions) {
        expect(await textOf(hub, `${id}/echo`, { message: id })).toBe(id);
        await hub.servers.restart({ id });
        expect(await textOf(hub, `${id}/echo`, { message: 'again' })).toBe('again');
      }
    });
  },
  LONG_MS,
);

verifies(
  ['C1'],
  'a stream that never names an endpoint is left for Streamable HTTP, and one that is no MCP at all says so',
  async () => {
    await using modern = await startHttpFixture('modern');
    const silent = await withSilentStream(modern.url);
    await withHub({ limits: { sseEndpointMs: 50 } }, async ({ hub }) => {
      const definitions = [asSse('silent', silent), asSse('lost', `${silent}/nothing-here`)];
      await hub.servers.apply({ definitions });
      expect(await textOf(hub, 'silent/echo', { message: 'heard' })).toBe('heard');
      await expect(hub.servers.start({ id: 'lost' })).rejects.toMatchObject({
        details: { httpStatus: 404 },
      });
    });
  },
  LONG_MS,
);
