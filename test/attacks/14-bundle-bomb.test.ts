import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo, type Server } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { newPlug, type Plug } from '../scenarios/plug-command.ts';
import { listen, officialApi, registriesAt } from '../scenarios/registry-listener.ts';
import { selfSigned } from '../self-signed.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { zip } from '../zip-archive.ts';

const MB = 1024 * 1024;
const HOST = 'bundles.example';

/** Less than a megabyte that unpacks to two thousand; `claims` is what it says of each file. */
function bomb(claims: number): Buffer {
  const data = deflateRawSync(Buffer.alloc(64 * MB));
  const files = Array.from({ length: 14 }, (_, index) => ({ path: `f${index}`, content: '', data, claims }));
  return zip([{ path: 'manifest.json', content: '{}' }, ...files]);
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port; // a TCP listener has such an address
}

/** A hub whose registry lists these bundles, which a host of the internet serves (behind the user's proxy). */
async function openWorld(bundles: Readonly<Record<string, Buffer>>): Promise<Plug> {
  const { key, cert } = selfSigned(HOST);
  const host = createHttpsServer({ key, cert }, (asked, response) => {
    response.end(bundles[(asked.url ?? '').slice(1)] ?? '');
  });
  const hostPort = await portOf(host);
  const proxy = createServer();
  proxy.on('connect', (_, socket) => {
    const through = connect(hostPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      through.pipe(socket).pipe(through);
    });
    for (const each of [through, socket]) each.on('error', () => undefined); // either may go first
  });
  const proxyPort = await portOf(proxy);
  onTestFinished(() => host.closeAllConnections());
  const listed = Object.entries(bundles).map(([name, bytes]) => ({
    name: `com.acme/${name}`,
    packages: [
      {
        registryType: 'mcpb',
        identifier: `https://${HOST}/${name}`,
        fileSha256: createHash('sha256').update(bytes).digest('hex'),
        transport: { type: 'stdio' },
      },
    ],
  }));
  const registry = await listen(officialApi(listed));
  const authority = `${temporaryFolder()}/authority.pem`;
  writeFileSync(authority, cert);
  return newPlug(
    {
      ...registriesAt({ official: registry.url }),
      HTTPS_PROXY: `http://127.0.0.1:${proxyPort}`,
      NO_PROXY: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: authority,
    },
    { hub: 'process' },
  );
}

/** The longest that anyone waited for the hub to answer, while it did this. */
async function slowest(url: string, work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  const working = { done: false };
  const asking = (async () => {
    while (!working.done) {
      const from = performance.now();
      await health(url);
      worst = Math.max(worst, performance.now() - from);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await work();
  working.done = true;
  await asking;
  return worst;
}

async function health(url: string): Promise<void> {
  const asked = request(new URL('/health', url)).end();
  const [answer] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
  answer.resume();
  await once(answer, 'end');
}

function memoryOf(pid: number, field: 'VmHWM' | 'VmRSS'): number {
  const [, kilobytes = '0'] =
    new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}

function filesBelow(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
}

verifies(
  ['attack:14', 'S14'],
  'a small bundle that unpacks to gigabytes is refused, while the hub answers, and leaves nothing',
  async () => {
    const plug = await openWorld({
      honest: bomb(64 * MB),
      lying: bomb(10),
      small: bomb(15 * MB),
      good: zip([
        { path: 'manifest.json', content: '{"server":{}}' },
        { path: 'a', content: 'a'.repeat(MB) },
      ]),
    });
    await plug('hub', 'start');
    const { pid, url } = JSON.parse(readFileSync(`${plug.home}/plug/hub.json`, 'utf8')) as {
      pid: number;
      url: string;
    };
    // What any bundle costs, with all that is loaded for the first time.
    const good = await slowest(url, () => plug('add', 'com.acme/good', '--yes'));
    const before = memoryOf(pid, 'VmHWM');
    const left = (): readonly string[] =>
      filesBelow(`${plug.home}/plug`).filter((file) => file.includes('bundles/'));
    expect(left()).toEqual([]);
    for (const name of ['honest', 'lying', 'small']) {
      let answer = { code: 0 as number | null, stderr: '' };
      const waited = await slowest(
        url,
        async () => (answer = await plug('add', `com.acme/${name}`, '--yes')),
      );
      expect({ name, ...answer }).toMatchObject({
        name,
        code: 1,
        stderr: expect.stringContaining('cannot be unpacked'),
      });
      expect({ name, waited: waited < 20 * Math.max(good, 10) }).toEqual({ name, waited: true });
    }
    expect(memoryOf(pid, 'VmHWM') - before).toBeLessThan(150);
    expect(left()).toEqual([]);
    // A file of one's own is no way in either.
    writeFileSync(`${plug.cwd}/bomb.mcpb`, bomb(10));
    expect(await plug('add', './bomb.mcpb', '--yes')).toMatchObject({ code: 1 });
    expect(left()).toEqual([]);
  },
  180_000,
);
