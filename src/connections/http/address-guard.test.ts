import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { verifies } from '../../../test/requirements.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { type AddressGuard, publicOnly } from './address-guard.ts';
import { createHttpClient } from './http-client.ts';

test('only addresses of the public internet pass', () => {
  for (const ip of ['1.1.1.1', '93.184.216.34', '172.32.0.1', '2606:4700:4700::1111']) {
    expect(publicOnly(ip), ip).toBeUndefined();
  }
  const inner = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
  ];
  const odd = ['224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1'];
  const six = ['::1', '::', 'fe80::1', 'fd00::1', 'ff02::1', '2001:db8::1', '2002:7f00:1::'];
  const hidden = [
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2001:0:1::1',
    'not an address',
  ];
  for (const ip of [...inner, ...odd, ...six, ...hidden])
    expect(publicOnly(ip), ip).toEqual(expect.any(String));
});

async function attempts(
  hosts: readonly string[],
  guard: AddressGuard,
): Promise<{ codes: unknown[]; arrived: number }> {
  let arrived = 0;
  const server = createServer((socket) => {
    arrived += 1;
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP listener has such an address
  await using http = createHttpClient({ clock: systemClock, ids: systemIds, guard });
  const codes: unknown[] = [];
  for (const host of hosts) {
    const outcome: unknown = await http.fetch(`http://${host}:${port}/`).catch((error: unknown) => error);
    codes.push(outcome instanceof Response ? outcome.status : (outcome as { code: unknown }).code); // a PlugError
  }
  server.close();
  return { codes, arrived };
}

verifies(
  ['attack:E1', 'attack:E4'],
  'no spelling of an inner address gets past the guard, neither literal nor name',
  async () => {
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      'localhost',
    ];
    const { codes, arrived } = await attempts(hosts, publicOnly);
    expect(codes).toEqual(hosts.map(() => 'denied'));
    expect(arrived).toBe(0);
  },
);

test('what the guard lets pass is reached, by literal and by name', async () => {
  const asked: string[] = [];
  const { codes } = await attempts(['127.0.0.1', 'localhost'], (ip) => {
    asked.push(ip);
    return ip.includes(':') && ip !== '::1' ? 'no' : undefined;
  });
  expect(codes[0]).toBe(204);
  expect(asked).toContain('127.0.0.1');
});
