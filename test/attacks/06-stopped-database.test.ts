import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { startPostgres, type PostgresServer } from '../contracts/postgres-server.ts';
import { verifies } from '../requirements.ts';
import { descendantsOf } from '../scenarios/plug-command.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import {
  allRecords,
  countingServer,
  killHub,
  makeHome,
  startHub,
  stopHub,
  withoutRecord,
  type HubProcess,
} from './06-world.ts';
import { patience } from '../suite/patience.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const AT_ONCE = 16;
/** Records that may wait for the database, and more calls than that, so that the bound is met. */
const WAITING_MAX = 600;
const CALLS_MAX = 4_000;
const smallHub = fileURLToPath(new URL('06-small-hub.ts', import.meta.url));

verifies(
  ['L9', 'attack:6'],
  'PostgreSQL stopped under load: calls are kept up to a bound, then fail at once with the reason; nothing runs without a record',
  async () => {
    const [home, outside] = [`${temporaryFolder()}/plug`, temporaryFolder()];
    makeHome(home);
    const env = { PLUG_HOME: home, PLUG_DATABASE_URL: postgres.url };
    const program = [smallHub, String(WAITING_MAX)];
    let running: HubProcess = await startHub(home, { env, program });
    onTestFinished(() => stopHub(running));
    const counted = countingServer(outside);
    const { hub } = running;
    await hub.servers.add({ definition: counted.definition });
    const call = (n: string): Promise<unknown> => hub.tools.call({ tool: 'counted/get_one', args: { n } });
    for (let index = 0; index < 20; index += 1) await call(`before-${index}`);

    // Under load, until it is refused.
    let sent = 0;
    const refusals: { readonly error: unknown; readonly tookMs: number }[] = [];
    const load = Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (sent < CALLS_MAX && refusals.length < AT_ONCE * 4) {
          const started = performance.now();
          try {
            await call(`load-${(sent += 1)}`);
          } catch (error) {
            refusals.push({ error, tookMs: performance.now() - started });
          }
        }
      }),
    );
    await waitFor(() => sent > 100, 30_000);
    await postgres.pause();
    await load;
    const told = refusals.at(-1);
    expect(told?.error).toMatchObject({
      code: 'storage_failed',
      message: expect.stringMatching(/can’t be recorded/),
      next: expect.any(String),
    });
    // The first ones may have waited for a database that might have moved; from then on none does.
    expect(told?.tookMs).toBeLessThan(patience(333));
    const received = counted.received();
    expect(received.length).toBeGreaterThanOrEqual(WAITING_MAX);
    console.log(`${received.length} dispatched while PostgreSQL stood still, ${refusals.length} refused`);

    // Killed with all of it in the journal.
    expect(readdirSync(join(home, 'audit')).length).toBeGreaterThan(0);
    await killHub(running, descendantsOf(running.pid));
    await postgres.resume();
    running = await startHub(home, { env });
    const records = await allRecords(running.hub);
    expect(withoutRecord('PostgreSQL stopped', received, records)).toEqual([]);
    expect(new Set(records.map(({ callId }) => callId)).size).toBe(records.length);
    expect(await running.hub.audit.verify()).toMatchObject({ intact: true, records: records.length });
  },
  240_000,
);

verifies(
  ['L9', 'attack:6'],
  'a PostgreSQL that comes back gets the records of all calls that were made without it, and calls run on',
  async () => {
    const [home, outside] = [`${temporaryFolder()}/plug`, temporaryFolder()];
    makeHome(home);
    const url = await postgres.createDatabase('back_again');
    const running = await startHub(home, { env: { PLUG_HOME: home, PLUG_DATABASE_URL: url } });
    onTestFinished(() => stopHub(running));
    const counted = countingServer(outside);
    const { hub } = running;
    await hub.servers.add({ definition: counted.definition });
    const call = (n: string): Promise<unknown> => hub.tools.call({ tool: 'counted/create_one', args: { n } });
    await call('before');
    await postgres.pause();
    await Promise.all(Array.from({ length: 200 }, (_, index) => call(`without-${index}`)));
    await postgres.resume();
    await call('after');
    await waitFor(async () => (await allRecords(hub).catch(() => [])).length === 202, 60_000);
    const records = await allRecords(hub);
    expect(withoutRecord('PostgreSQL came back', counted.received(), records)).toEqual([]);
    expect(counted.received()).toHaveLength(202);
  },
  120_000,
);
