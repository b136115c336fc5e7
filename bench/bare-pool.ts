import type { JsonObject } from '../src/base/json.ts';
import { echoCommand, product } from './product.ts';

/** A connection without anything around it: nobody resolves, checks, decides, cleans or records. */
export interface BarePool extends AsyncDisposable {
  call(name: string, args: JsonObject): Promise<JsonObject>;
}

/** The pool of the hub, with the echo server in it. */
export async function openBarePool(home: string): Promise<BarePool> {
  const { Pool } = await product<typeof import('../src/connections/pool.ts')>('connections/pool');
  const { CallPermit } = await product<typeof import('../src/connections/permit.ts')>('connections/permit');
  const { createOpener } =
    await product<typeof import('../src/connections/open-session.ts')>('connections/open-session');
  const { defineServer, fingerprintOf } =
    await product<typeof import('../src/servers/definition.ts')>('servers/definition');
  const { openStorage } = await product<typeof import('../src/storage/open.ts')>('storage/open');
  const { TaskGroup } = await product<typeof import('../src/base/tasks.ts')>('base/tasks');
  const { silentLogger: logger } = await product<typeof import('../src/base/logger.ts')>('base/logger');
  const { systemClock: clock } = await product<typeof import('../src/base/clock.ts')>('base/clock');
  const { systemIds: ids } = await product<typeof import('../src/base/ids.ts')>('base/ids');
  const { limits } = await product<typeof import('../src/base/limits.ts')>('base/limits');

  const storage = await openStorage({ kind: 'memory' });
  const tasks = new TaskGroup(logger);
  const opener = createOpener({
    clock,
    ids,
    limits,
    env: process.env,
    platform: process.platform,
    home,
    searchPath: () => Promise.resolve(process.env['PATH'] ?? ''),
    resolve: ({ definition: { endpoint } }) => Promise.resolve({ endpoint }),
    signedIn: (_definition, _url, fetch) => Promise.resolve({ fetch }),
    onProcess: () => Promise.resolve(),
    onProcessEnd: () => undefined,
  });
  const pool = new Pool({
    owner: 'local',
    store: storage.connections,
    opener,
    clientInfo: { name: 'plugboard', version: '0.0.0-bench' },
    handlers: {},
    clock,
    ids,
    limits,
    logger,
    tasks,
  });
  await pool.load();
  const definition = defineServer({ id: 'bare', endpoint: { kind: 'stdio', ...echoCommand(), env: {} } });
  pool.put({ key: 'bare', definition, fingerprint: fingerprintOf(definition), folder: home });
  return {
    call: (name, args) =>
      pool.use('bare', (session) =>
        session.callTool(
          CallPermit.mint(name, args, undefined),
          { name, arguments: args },
          { timeoutMs: limits.callTimeoutMs },
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      await pool.close();
      await tasks.close();
      await storage[Symbol.asyncDispose]();
    },
  };
}
