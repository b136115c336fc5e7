import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { limits } from '../../src/base/limits.ts';
import { metadataClient } from '../../src/connections/sign-in/metadata-fetch.ts';
import { verifies } from '../requirements.ts';

verifies(
  ['O1', 'attack:E1', 'attack:E2', 'attack:E4'],
  'what a server on the internet names for signing in is never dialed inside, however the address is written',
  async () => {
    let arrived = 0;
    const trap = createServer((socket) => {
      arrived += 1;
      socket.on('error', () => undefined);
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    }).listen(0, '127.0.0.1');
    await once(trap, 'listening');
    onTestFinished(() => void trap.close());
    const { port } = trap.address() as AddressInfo; // it listens
    const hosts = [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '127.1',
      '[::ffff:7f00:1]',
      'localhost',
    ];
    const elsewhere = [
      '169.254.169.254',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::a9fe:a9fe]',
      '10.0.0.1',
      '[fd00::1]',
    ];
    await using client = metadataClient({
      serverUrl: 'https://mcp.example.com/mcp',
      clock: systemClock,
      ids: systemIds,
      limits,
      env: {},
    });
    for (const host of [...hosts, ...elsewhere]) {
      for (const method of ['GET', 'POST']) {
        const asked = client.fetch(`http://${host}:${port}/.well-known/oauth-protected-resource`, { method });
        await expect(asked, host).rejects.toMatchObject({ code: 'denied' });
      }
    }
    expect(arrived).toBe(0);
    // The trap does hear whoever may come: a server on this machine may name this machine.
    await using own = metadataClient({
      serverUrl: `http://127.0.0.1:${port}/mcp`,
      clock: systemClock,
      ids: systemIds,
      limits,
      env: {},
    });
    expect((await own.fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    expect(arrived).toBe(1);
  },
);
