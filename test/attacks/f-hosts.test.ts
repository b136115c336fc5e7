import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { modern, send, startFront } from '../contracts/http-host.ts';
import { knock } from '../contracts/knock.ts';
import { toyGateway } from '../contracts/toy-gateway.ts';
import { verifies } from '../requirements.ts';
import { gatewayWorld, modernHost } from '../scenarios/gateway-world.ts';
import { local, remote } from '../scenarios/lifecycle-hub.ts';
import { newPlug } from '../scenarios/plug-command.ts';
import { startHttpFixture } from '../servers/start.ts';

const TOKEN = 'canary-host-token-71e9';

verifies(
  ['G1', 'attack:F17'],
  'what a host shows to be let in goes to no server: neither its token nor its cookie nor its headers',
  async () => {
    await using server = await startHttpFixture('modern');
    const { gateway } = await gatewayWorld([remote('web', server.url)], { rules: 'permissive' });
    const { port } = await startFront(gateway, { admit: () => ({ principal: 'local' }) });
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'proxy-authorization': `Basic ${TOKEN}`,
      cookie: `session=${TOKEN}`,
      'x-api-key': TOKEN,
    };
    const call = modern('tools/call', { name: 'echo', arguments: { message: 'hi' } }, { headers });
    const answer = await send(port, { ...call, path: '/mcp/s/web' });
    expect([answer.status, JSON.stringify(answer.json.result)]).toEqual([200, expect.stringContaining('hi')]);
    const { lastHeaders, methods } = await server.stats();
    expect(methods['tools/call']).toBe(1);
    expect(JSON.stringify(lastHeaders)).not.toContain(TOKEN);
  },
  30_000,
);

verifies(
  ['G1', 'H1', 'attack:F18'],
  'a token that somebody else issued, for whatever audience, opens nothing of the built hub',
  async () => {
    const plug = newPlug();
    await plug.json('hub', 'start');
    const { url } = (await plug.json('hub', 'status')) as { url: string };
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const tokens = ['https://other.example', url, `${url}/mcp`].flatMap((aud) => [
      `${part({ alg: 'none' })}.${part({ aud, sub: 'me' })}.`,
      `${part({ alg: 'HS256' })}.${part({ aud, sub: 'me' })}.${'A'.repeat(43)}`,
    ]);
    const right = readFileSync(`${plug.home}/plug/hub.token`, 'utf8').trim();
    const { body, headers } = modern('server/discover');
    for (const token of [...tokens, right.toUpperCase(), `${right}.`]) {
      for (const path of ['/mcp', '/mcp/s/x', '/sse', '/v1/status']) {
        const method = path.startsWith('/mcp') ? 'POST' : 'GET';
        const sent = { ...headers, 'content-type': 'application/json', authorization: `Bearer ${token}` };
        const { status } = await knock(
          { url },
          { method, path, headers: sent, ...(method === 'POST' ? { body: JSON.stringify(body) } : {}) },
        );
        expect([path, token.slice(0, 20), status]).toEqual([path, token.slice(0, 20), 401]);
      }
    }
  },
  30_000,
);

verifies(
  ['G2', 'attack:G3'],
  'ten thousand sessions that are opened and left are never more than so many',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway);
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const body = { jsonrpc: '2.0', id: 0, method: 'initialize', params };
    for (let opened = 0; opened < 10_000; opened += 100) {
      const all = await Promise.all(Array.from({ length: 100 }, () => send(port, { body })));
      expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]));
      expect(gateway.links.length - gateway.closed.length).toBeLessThanOrEqual(1_000);
    }
    expect(gateway.links).toHaveLength(10_000);
    expect(gateway.closed).toHaveLength(9_000);
  },
  120_000,
);

verifies(
  ['G1', 'attack:G4'],
  'a list that was made for one host is not served to another, and every list says that it is private',
  async () => {
    const { gateway, hub } = await gatewayWorld([local('desk', 'modern'), local('play', 'modern')]);
    await hub.profiles.save({ name: 'office', servers: ['desk'] });
    await hub.profiles.save({ name: 'home', servers: ['play'] });
    const [office, home] = ['office', 'home'].map((profile) => modernHost(gateway, { profile, mode: 'all' }));
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) {
      // Asked in turns, so that whatever is kept from one would be there for the other.
      for (let turn = 0; turn < 2; turn += 1) {
        const [first, second] = [await office?.request(method), await home?.request(method)];
        expect([method, first?.['cacheScope'], second?.['cacheScope']]).toEqual([
          method,
          'private',
          'private',
        ]);
        expect(JSON.stringify(first)).not.toMatch(/play__|plug:\/\/play\//);
        expect(JSON.stringify(second)).not.toMatch(/desk__|plug:\/\/desk\//);
      }
    }
    expect(JSON.stringify(await office?.request('tools/list'))).toContain('desk__');
  },
  40_000,
);

verifies(
  ['G2', 'attack:G14'],
  'a message is read in one way: names in another case, or with more behind them, mean nothing',
  async () => {
    const gateway = toyGateway();
    const { port } = await startFront(gateway);
    const { headers = {} } = modern('echo');
    const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`;
    const post = async (body: string): Promise<number> => (await send(port, { headers, body })).status;
    for (const key of ['Method', 'METHOD', 'method\\u0000', 'ｍethod', 'method ']) {
      expect([key, await post(`{"jsonrpc":"2.0","id":1,"${key}":"echo","params":{${meta}}}`)]).toEqual([
        key,
        400,
      ]);
    }
    expect(gateway.reached).toEqual([]);
    const both = `{"jsonrpc":"2.0","id":1,"Method":"wait","method":"echo","PARAMS":{"evil":1},"params":{"a":"x\\u0000y",${meta}}}`;
    expect(await post(both)).toBe(200);
    expect(gateway.reached.map(({ method, params }) => [method, params['a'], params['evil']])).toEqual([
      ['echo', 'x\u0000y', undefined],
    ]);
  },
);
