import dns from 'node:dns/promises';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { createServer, type AddressInfo } from 'node:net';
import { expect, onTestFinished, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { systemIds } from '../../src/base/ids.ts';
import { createHttpClient } from '../../src/connections/http/http-client.ts';
import { verifies } from '../requirements.ts';

/** A name that is honest when it is looked up for the first time, and leads inside ever after. */
function rebind(): readonly string[] {
  const asked: string[] = [];
  // The product asks for every address of a name; no other form of the answer is needed.
  const lookup = (host: string): Promise<unknown> => {
    asked.push(host);
    return Promise.resolve([{ address: asked.length === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }]);
  };
  const spy = vi.spyOn(dns, 'lookup').mockImplementation(lookup as typeof dns.lookup);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spy.mockRestore();
    syncBuiltinESMExports();
  });
  return asked;
}

async function listen(
  host: string,
  port = 0,
): Promise<{ readonly port: number; readonly count: () => number }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => undefined);
    socket.end('HTTP/1.1 204 No Content\r\n\r\n');
  }).listen(port, host);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, count: () => count }; // it listens
}

verifies(
  ['O1', 'attack:E3'],
  'the address that was checked is the one that is dialed: a name is looked up once, whatever it says later',
  async () => {
    const asked = rebind();
    const outside = await listen('127.0.0.2');
    const inside = await listen('127.0.0.1', outside.port);
    // On one machine: 127.0.0.2 stands for the internet, and 127.0.0.1 for what is inside.
    const guard = (ip: string): string | undefined => (ip === '127.0.0.2' ? undefined : 'It is inside.');
    await using http = createHttpClient({ clock: systemClock, ids: systemIds, guard });
    const url = `http://rebinding.test:${outside.port}/`;
    expect((await http.fetch(url)).status).toBe(204);
    expect([asked, outside.count(), inside.count()]).toEqual([['rebinding.test'], 1, 0]);
    // The second request asks anew, is led inside, and is refused before anything is dialed.
    await expect(http.fetch(url)).rejects.toMatchObject({ code: 'denied' });
    expect([outside.count(), inside.count()]).toEqual([1, 0]);
  },
);
