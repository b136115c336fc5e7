import type { IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock } from '../base/clock.ts';
import { listen, planListener, TrustedPeers } from './listener.ts';

const planned = (env: Readonly<Record<string, string>>, url?: string) =>
  planListener({ port: 0, env, url, behindProxy: false });
const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

verifies(
  ['M1', 'attack:A5'],
  'a hub that others than this machine can reach names its proxies and wants TLS',
  async () => {
    expect(planned({}).host).toBe('127.0.0.1');
    expect(planned({ PLUG_LISTEN: '::1' }).host).toBe('::1');
    const open = { PLUG_LISTEN: '0.0.0.0' };
    const named = { ...open, PLUG_TRUSTED_PROXIES: '10.0.3.0/24, 192.0.2.7' };
    const https = 'https://plug.example.com';
    expect(() => planned(open, https)).toThrow('PLUG_TRUSTED_PROXIES');
    expect(() => planned(named)).toThrow('PLUG_TEAM_URL');
    expect(() => planned(named, 'http://plug.example.com')).toThrow('PLUG_TEAM_URL');
    for (const wrong of ['10.0.0.0/33', 'example.com', '10.0.0.0/', '*', '10.0.0.0/8/8 ']) {
      expect(() => planned({ ...open, PLUG_TRUSTED_PROXIES: wrong }, https)).toThrow('PLUG_TRUSTED_PROXIES');
    }
    expect(() => planned({ PLUG_LISTEN: 'plug.example.com' })).toThrow('PLUG_LISTEN');
    const { trusted } = planned(named, https);
    for (const peer of ['10.0.3.9', '192.0.2.7', '::ffff:10.0.3.9', '127.0.0.1', '::1']) {
      expect([peer, trusted.mayConnect(peer)]).toEqual([peer, true]);
    }
    for (const peer of ['10.0.4.9', '192.0.2.8', '::ffff:10.0.4.9', '2001:db8::1', '', undefined]) {
      expect([peer, trusted.mayConnect(peer)]).toEqual([peer, false]);
    }
  },
);

verifies(['M1'], 'those who may not connect get nothing but whether the hub lives', async () => {
  const refusing = { mayConnect: () => false } as unknown as TrustedPeers;
  const listening = await listen({ host: '127.0.0.1', port: 0, trusted: refusing }, systemClock);
  let served = 0;
  listening.serve((_request, response) => {
    served += 1;
    response.end('served');
  });
  const status = async (path: string): Promise<number> =>
    (await fetch(`http://127.0.0.1:${listening.port}${path}`)).status;
  expect([await status('/sign-in'), await status('/mcp'), await status('/health?x')]).toEqual([
    403, 403, 403,
  ]);
  expect(served).toBe(0);
  expect(await status('/health')).toBe(200);
  await listening.close();
});

verifies(['M3'], 'a request that came in before the end is answered', async () => {
  const allowing = { mayConnect: () => true } as unknown as TrustedPeers;
  const listening = await listen({ host: '127.0.0.1', port: 0, trusted: allowing }, systemClock);
  const came = Promise.withResolvers<void>();
  const ending = Promise.withResolvers<void>();
  listening.serve(async (_request, response) => {
    came.resolve();
    await ending.promise;
    response.end('served');
  });
  const answer = fetch(`http://127.0.0.1:${listening.port}/mcp`).then((response) => response.text());
  await came.promise;
  const closed = listening.close();
  ending.resolve();
  expect(await answer).toBe('served');
  await closed;
});

verifies(['M1'], 'where somebody comes from is what the last trusted proxy says, and nobody else', () => {
  const named = new TrustedPeers(['10.0.3.0/24'], false);
  expect(named.peerOf(from('10.0.3.1', '203.0.113.5'))).toBe('203.0.113.5');
  expect(named.peerOf(from('10.0.3.1', '1.1.1.1, 203.0.113.5, 10.0.3.2'))).toBe('203.0.113.5');
  expect(named.peerOf(from('203.0.113.9', '1.1.1.1'))).toBe('203.0.113.9');
  expect(named.peerOf(from('10.0.3.1', 'nonsense'))).toBe('10.0.3.1');
  expect(named.peerOf(from('127.0.0.1', '1.1.1.1'))).toBe('127.0.0.1');
  expect(new TrustedPeers([], true).peerOf(from('127.0.0.1', '1.1.1.1'))).toBe('1.1.1.1');
});
