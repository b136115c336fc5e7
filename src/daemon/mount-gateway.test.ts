import { Agent } from 'node:http';
import { expect, test, vi } from 'vitest';
import { modern, open, send } from '../../test/contracts/http-host.ts';
import { knock } from '../../test/contracts/knock.ts';
import { memoryTokens } from '../../test/contracts/memory-tokens.ts';
import { startHub } from '../../test/contracts/running-hub.ts';
import { toyGateway, type ToyGateway } from '../../test/contracts/toy-gateway.ts';
import { recordedHub } from '../../test/contracts/recorded-hub.ts';
import { verifies } from '../../test/requirements.ts';
import type { HostTokens } from '../policy/host-tokens.ts';

async function running(): Promise<{
  gateway: ToyGateway;
  port: number;
  socket: string;
  authorization: string;
  /** Of the hub itself. */
  hubAuthorization: string;
  tokens: HostTokens;
  close: () => Promise<void>;
}> {
  const gateway = toyGateway();
  const tokens = await memoryTokens();
  const open = async () => ({ ...(await recordedHub().open()), hostTokens: tokens });
  const hub = await startHub(open, { openGateway: () => gateway });
  const { url, socket } = hub.address;
  return {
    gateway,
    port: Number(new URL(url).port),
    socket,
    authorization: `Bearer ${await tokens.add({ name: 'cursor' })}`,
    hubAuthorization: `Bearer ${hub.token}`,
    tokens,
    close: hub.close,
  };
}

const PATHS = ['/mcp', '/mcp/p/office', '/mcp/s/toy', '/sse', '/sse/messages?sessionId=x'];

verifies(
  ['G1', 'G7', 'H1', 'attack:F18'],
  'on the port every address of the gateway needs the token of a host',
  async () => {
    const { gateway, port, authorization, hubAuthorization } = await running();
    for (const path of PATHS) {
      for (const given of [undefined, 'Bearer wrong', `${authorization}x`, 'Basic eDp5', hubAuthorization]) {
        const { body, headers } = modern('echo');
        const sent = { path, body, headers: { ...headers, ...(given ? { authorization: given } : {}) } };
        const { status, headers: answered, json } = await send(port, sent);
        expect([path, given, status, answered['www-authenticate']]).toEqual([
          path,
          given,
          401,
          'Bearer realm="plugboard gateway"',
        ]);
        expect(json.error?.message).toMatch(/token/);
      }
    }
    expect(gateway.reached).toEqual([]);
    const { status } = await send(port, modern('echo', {}, { headers: { authorization } }));
    expect([status, gateway.reached[0]?.modern?.principal]).toEqual([200, 'host cursor']);
    expect(gateway.reached[0]?.modern?.host).toBe('cursor');
  },
);

verifies(
  ['G7'],
  'a token that is revoked opens nothing, on a connection that has shown it either',
  async () => {
    const { gateway, port, authorization, tokens } = await running();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (): Promise<number> =>
      (await send(port, { ...modern('echo', {}, { headers: { authorization } }), agent })).status;
    expect([await ask(), await ask()]).toEqual([200, 200]);
    expect(await tokens.revoke('cursor')).toBe(true);
    expect(await ask()).toBe(401);
    expect(gateway.reached).toHaveLength(2);
    agent.destroy();
  },
);

verifies(['G7'], 'what a host has under way ends when its token is revoked; others go on', async () => {
  const { gateway, port, authorization, tokens } = await running();
  const other = `Bearer ${await tokens.add({ name: 'agent' })}`;
  const mine = await open(port, modern('subscriptions/listen', {}, { headers: { authorization } }));
  const theirs = await open(port, modern('subscriptions/listen', {}, { headers: { authorization: other } }));
  await Promise.all([mine.next(), theirs.next()]);
  await tokens.revoke('cursor');
  await mine.ended;
  await vi.waitFor(() => expect(gateway.aborted).toHaveLength(1));
  await tokens.revoke('agent');
  await theirs.ended;
});

verifies(['G1', 'H1'], 'foreign hosts and foreign pages are refused, even with the token', async () => {
  const { gateway, port, authorization } = await running();
  const foreign = [
    { host: 'evil.test' },
    { host: `evil.test:${port}`, origin: `http://evil.test:${port}` },
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  for (const path of PATHS) {
    for (const headers of foreign) {
      const { body, headers: own } = modern('echo');
      const sent = { path, body, headers: { ...own, authorization, ...headers } };
      expect([path, headers, (await send(port, sent)).status]).toEqual([path, headers, 403]);
      const get = { path, method: 'GET', headers: { authorization, ...headers } };
      expect([path, headers, (await send(port, get)).status]).toEqual([path, headers, 403]);
    }
  }
  expect(gateway.reached).toEqual([]);
  const ours = { authorization, host: `localhost:${port}`, origin: `http://localhost:${port}` };
  expect((await send(port, modern('echo', {}, { headers: ours }))).status).toBe(200);
});

verifies(['G1'], 'over the socket no token is needed, and the folder of the host counts', async () => {
  const { gateway, socket } = await running();
  const { headers, body } = modern('echo');
  const post = { method: 'POST', path: '/mcp', body: JSON.stringify(body) };
  const all = { accept: 'application/json', 'content-type': 'application/json', ...headers };
  const ask = (extra: object): Promise<{ status: number }> =>
    knock({ socketPath: socket }, { ...post, headers: { ...all, ...extra } });
  expect((await ask({ 'plug-folder': encodeURIComponent('/home/me/a ü') })).status).toBe(200);
  expect(gateway.reached[0]?.modern).toMatchObject({
    scope: { folder: '/home/me/a ü' },
    cwd: '/home/me/a ü',
  });
  expect((await ask({ 'plug-folder': 'no/folder' })).status).toBe(400);
  expect((await ask({ origin: 'http://localhost' })).status).toBe(403);
});

test('the API is still there beside the gateway', async () => {
  const { port, hubAuthorization: authorization } = await running();
  const headers = { authorization, accept: 'application/json' };
  expect((await send(port, { method: 'GET', path: '/v1/status', headers })).status).toBe(200);
  expect((await send(port, { method: 'GET', path: '/mcp/nothing', headers })).status).toBe(404);
  expect((await send(port, { method: 'GET', path: '/mcp/nothing' })).status).toBe(401);
});

test('a hub that stops ends the streams of its hosts first, and does not wait for them', async () => {
  const { gateway, port, authorization, close } = await running();
  const listening = await open(port, modern('subscriptions/listen', {}, { headers: { authorization } }));
  await listening.next();
  await close();
  await listening.ended;
  await vi.waitFor(() => expect(gateway.aborted).toHaveLength(1));
});
