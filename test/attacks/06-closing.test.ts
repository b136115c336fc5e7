import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import {
  allRecords,
  countingServer,
  makeHome,
  nameOf,
  startHub,
  stopHub,
  withoutRecord,
  type HubProcess,
} from './06-world.ts';

const ROUNDS = 6;
const AT_ONCE = 24;

verifies(
  ['L9', 'attack:6'],
  'a hub that is stopped under load ends without a rejection that nobody hears, and every call is on record as it ended',
  async () => {
    const [home, outside] = [`${temporaryFolder()}/plug`, temporaryFolder()];
    makeHome(home);
    const counted = countingServer(outside);
    let running: HubProcess | undefined;
    onTestFinished(async () => running && stopHub(running));
    const answered = new Set<string>();
    for (let round = 0; round < ROUNDS; round += 1) {
      running = await startHub(home);
      const { hub, child, stderr } = running;
      if (round === 0) await hub.servers.add({ definition: counted.definition });
      let sent = 0;
      let stopping = false;
      const load = Promise.all(
        Array.from({ length: AT_ONCE }, async (_, lane) => {
          while (!stopping) {
            const n = `${round}-${lane}-${(sent += 1)}`;
            try {
              // Some are still under way when it stops.
              await hub.tools.call({ tool: 'counted/get_one', args: { n, ms: lane < 4 ? 2_000 : 1 } });
              answered.add(n);
            } catch {
              stopping = true;
            }
          }
        }),
      );
      await waitFor(() => sent > AT_ONCE * 3, 20_000);
      await stopHub(running);
      stopping = true;
      await load;
      expect({ code: child.exitCode, stderr: stderr() }).toEqual({
        code: 0,
        stderr: expect.not.stringMatching(/unhandled|rejection|storage is closed/i),
      });
      // Nothing is left for the next start: all of it is in the database.
      expect(readdirSync(join(home, 'audit'))).toEqual([]);
    }
    running = await startHub(home);
    const records = await allRecords(running.hub);
    expect(withoutRecord(`stopped under load, ${ROUNDS} times`, counted.received(), records)).toEqual([]);
    expect(records.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
    const names = new Set(records.filter(({ outcome }) => outcome === 'ok').map(nameOf));
    expect(answered.difference(names)).toEqual(new Set());
    expect(await running.hub.audit.verify()).toMatchObject({ intact: true });
  },
  180_000,
);

verifies(
  ['L9'],
  'a program that closes its hub in the middle of calls hears of no rejection but those of its own calls',
  async () => {
    const [home, outside] = [`${temporaryFolder()}/plug`, temporaryFolder()];
    makeHome(home);
    const counted = countingServer(outside);
    const program = fileURLToPath(new URL('06-closing-program.ts', import.meta.url));
    const child = spawn(process.execPath, [program, home, JSON.stringify(counted.definition.endpoint)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    // Those that were cut off say so, and none that it could not be recorded.
    expect({ code, said }).toEqual({
      code: 0,
      said: expect.stringMatching(/^\{"unhandled":0,"codes":\{("unavailable":\d+)?\}\}\n$/),
    });
    const running = await startHub(home);
    onTestFinished(() => stopHub(running));
    const records = await allRecords(running.hub);
    expect(withoutRecord('closed in the middle', counted.received(), records)).toEqual([]);
    expect(records.filter(({ outcome }) => outcome === 'unknown')).toEqual([]);
  },
  60_000,
);
