import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { selfSigned } from '../../../test/self-signed.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { createHttpClient } from './http-client.ts';

const base = { clock: systemClock, ids: systemIds };

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port; // a TCP listener has such an address
}

verifies(
  ['attack:E6'],
  'a certificate that nobody vouches for is refused; one of a given authority is trusted',
  async () => {
    const { key, cert } = selfSigned();
    let arrived = 0;
    const server = createHttpsServer({ key, cert }, (_, response) => {
      arrived += 1;
      response.end('hello');
    });
    const port = await portOf(server);
    await using strict = createHttpClient(base);
    await expect(strict.fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: 'unreachable',
      owner: 'network',
      message: expect.stringContaining('certificate'),
    });
    expect(arrived).toBe(0);
    await using trusting = createHttpClient({ ...base, ca: cert });
    expect(await (await trusting.fetch(`https://127.0.0.1:${port}/`)).text()).toBe('hello');
    await using guarded = createHttpClient({ ...base, ca: cert, guard: () => undefined });
    expect(await (await guarded.fetch(`https://127.0.0.1:${port}/`)).text()).toBe('hello');
    // The guard dials the address, and still the name must match: the certificate is for 127.0.0.1 only.
    await expect(guarded.fetch(`https://localhost:${port}/`)).rejects.toMatchObject({ code: 'unreachable' });
    server.close();
  },
);

verifies(
  ['attack:E6'],
  'a redirect from https to http is not followed: nothing reaches the plain listener',
  async () => {
    const { key, cert } = selfSigned();
    let arrived = 0;
    const plain = createServer((_, response) => {
      arrived += 1;
      response.end();
    });
    const plainPort = await portOf(plain);
    const secure = createHttpsServer({ key, cert }, (_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${plainPort}/mcp` }).end();
    });
    const port = await portOf(secure);
    await using http = createHttpClient({ ...base, ca: cert });
    const transport = new StreamableHTTPClientTransport(new URL(`https://127.0.0.1:${port}/mcp`), {
      fetch: http.fetch,
      requestInit: { headers: { authorization: 'Bearer secret' } },
    });
    await transport.start();
    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' })).rejects.toThrow('not followed');
    expect(arrived).toBe(0);
    secure.close();
    plain.close();
  },
);

test('http on an https address is told apart', async () => {
  const server = createServer((_, response) => response.end());
  const port = await portOf(server);
  await using http = createHttpClient(base);
  await expect(http.fetch(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
    code: 'unreachable',
    next: expect.stringContaining('http://'),
  });
  server.close();
});

test('a proxy of the environment that was passed in is used, except where it says no', async () => {
  const seen: string[] = [];
  const proxy = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end('from the proxy');
  });
  const proxyPort = await portOf(proxy);
  const direct = createServer((_, response) => response.end('direct'));
  const port = await portOf(direct);
  const env = { HTTP_PROXY: `http://127.0.0.1:${proxyPort}`, NO_PROXY: '127.0.0.1' };
  await using http = createHttpClient({ ...base, env });
  expect(await (await http.fetch('http://mcp.example/path')).text()).toBe('from the proxy');
  expect(seen).toEqual(['http://mcp.example/path']);
  expect(await (await http.fetch(`http://127.0.0.1:${port}/`)).text()).toBe('direct');
  proxy.closeAllConnections();
  proxy.close();
  direct.closeAllConnections();
  direct.close();
});
