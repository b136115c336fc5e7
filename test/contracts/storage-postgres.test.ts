import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { inspect } from 'node:util';
import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { toPlugError } from '../../src/base/errors.ts';
import { systemIds } from '../../src/base/ids.ts';
import { defineServer, type ServerDefinition } from '../../src/servers/definition.ts';
import { openStorage } from '../../src/storage/open.ts';
import type { StorageTiming } from '../../src/storage/storage.ts';
import { verifies } from '../requirements.ts';
import { startPostgres, type PostgresServer } from './postgres-server.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

function serverOf(id: string): ServerDefinition {
  return defineServer({ id, endpoint: { kind: 'http', url: 'https://x.test', headers: {} } });
}

async function ask(text: string): Promise<unknown[]> {
  const client = new Client(postgres.url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const OURS = `from pg_stat_activity where application_name = 'plugboard'`;

verifies(
  ['H2'],
  'after a restart of PostgreSQL the next query works by itself',
  async () => {
    await using storage = await openStorage({ kind: 'postgres', url: postgres.url });
    for (let round = 0; round < 3; round += 1) {
      await storage.servers.putServer('restart', serverOf(`s${round}`));
      await postgres.restart();
      expect(await storage.servers.listServers('restart')).toHaveLength(round + 1);
    }
  },
  30_000,
);

verifies(
  ['H2'],
  'queries during a restart of PostgreSQL wait for it, and none is lost',
  async () => {
    await using storage = await openStorage({ kind: 'postgres', url: postgres.url });
    const during = { restart: true };
    const restart = postgres.restart().finally(() => (during.restart = false));
    let written = 0;
    while (during.restart || written < 50) {
      const batch = Array.from({ length: 10 }, (_, index) => serverOf(`s${written + index}`));
      await Promise.all(batch.map((server) => storage.servers.putServer('during', server)));
      written += batch.length;
    }
    await restart;
    expect(await storage.servers.listServers('during')).toHaveLength(written);
  },
  30_000,
);

verifies(['H2'], 'a connection that the server ends does not end the process', async () => {
  await using storage = await openStorage({ kind: 'postgres', url: postgres.url });
  await Promise.all(['a', 'b', 'c'].map((id) => storage.servers.putServer('ended', serverOf(id))));
  const ended = await ask(`select pg_terminate_backend(pid) as ended ${OURS}`);
  expect(ended.length).toBeGreaterThan(0);
  expect(await storage.servers.listServers('ended')).toHaveLength(3);
});

verifies(['H2'], 'closing leaves no connection behind', async () => {
  const storage = await openStorage({ kind: 'postgres', url: postgres.url });
  await Promise.all(['a', 'b', 'c'].map((id) => storage.servers.putServer('closing', serverOf(id))));
  expect((await ask(`select pid ${OURS}`)).length).toBeGreaterThan(0);
  await storage.close();
  await expect.poll(() => ask(`select pid ${OURS}`)).toEqual([]);
  await expect(storage.servers.listServers('closing')).rejects.toMatchObject({
    code: 'storage_failed',
    message: 'The storage is closed.',
  });
});

verifies(
  ['H2'],
  'no failure to connect shows the password',
  async () => {
    const secret = 'pa%24%24w%C3%B6rd-X9';
    const plain = decodeURIComponent(secret);
    const port = new URL(postgres.url).port;
    const rude = await listenRudely();
    const failures = {
      wrongPassword: `postgres://plug:${secret}@127.0.0.1:${port}/plugboard`,
      asParameter: `postgres://plug@127.0.0.1:${port}/plugboard?password=${secret}`,
      nobodyListens: `postgres://plug:${secret}@127.0.0.1:1/plugboard`,
      notPostgres: `postgres://plug:${secret}@127.0.0.1:${rude.port}/plugboard`,
      unknownHost: `postgres://plug:${secret}@host.invalid/plugboard`,
      wrongScheme: `mysql://plug:${secret}@127.0.0.1/plugboard`,
      unreadable: `postgres://plug:${secret}@[::/plugboard`,
    };
    const codes: Record<string, string> = {};
    for (const [name, url] of Object.entries(failures)) {
      const error = await openStorage({ kind: 'postgres', url }, hurried()).then(
        () => undefined,
        (reason: unknown) => toPlugError(reason),
      );
      const shown = inspect(error, { depth: 10, showHidden: true }) + JSON.stringify(error?.toView());
      expect(shown).not.toContain(secret);
      expect(shown).not.toContain(plain);
      codes[name] = `${error?.code} ${error?.owner}`;
    }
    rude.listener.close();
    expect(codes).toEqual({
      wrongPassword: 'storage_failed you',
      asParameter: 'storage_failed you',
      nobodyListens: 'storage_failed network',
      notPostgres: 'storage_failed network',
      unknownHost: 'storage_failed network',
      wrongScheme: 'usage you',
      unreadable: 'usage you',
    });
  },
  60_000,
);

verifies(['H2'], 'a database that does not exist is named with the next step', async () => {
  const url = new URL(postgres.url);
  url.pathname = '/nowhere';
  await expect(openStorage({ kind: 'postgres', url: url.href })).rejects.toMatchObject({
    code: 'storage_failed',
    owner: 'you',
    message: `There is no such database: postgres://${url.host}/nowhere.`,
    next: 'Create it: createdb NAME',
  });
});

/** Waiting for the database to come back takes no time here. */
function hurried(): StorageTiming {
  let now = 0;
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  return { clock: { ...systemClock, monotonic: () => now, sleep }, ids: systemIds };
}

/** Answers every connection with something that is not PostgreSQL. */
async function listenRudely(): Promise<{ readonly port: number; readonly listener: Server }> {
  const listener = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (typeof address !== 'object' || address === null) throw new Error('The listener has no port.');
  return { port: address.port, listener };
}
