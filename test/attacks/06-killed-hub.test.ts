import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { descendantsOf } from '../scenarios/plug-command.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { shareOf } from '../suite/share-of.ts';
import {
  allRecords,
  countingServer,
  killHub,
  makeHome,
  nameOf,
  startHub,
  stopHub,
  withoutRecord,
  type HubProcess,
} from './06-world.ts';

const KILLS = shareOf(50, 16);
const AT_ONCE = 8;

verifies(
  ['L9', 'attack:6'],
  `after ${KILLS} × kill -9 during calls, every call that reached a server is on record, once, as ended or unknown`,
  async () => {
    const [home, outside] = [`${temporaryFolder()}/plug`, temporaryFolder()];
    makeHome(home);
    const counted = countingServer(outside);
    let running: HubProcess | undefined;
    onTestFinished(async () => running && stopHub(running));
    const answered = new Set<string>();
    for (let round = 0; round < KILLS; round += 1) {
      running = await startHub(home);
      const { hub, pid } = running;
      if (round === 0) await hub.servers.add({ definition: counted.definition });
      // The first one wakes the server.
      const names = Array.from({ length: AT_ONCE }, (_, index) => `${round}-${index}`);
      await hub.tools.call({ tool: 'counted/get_one', args: { n: `${round}-awake` } });
      answered.add(`${round}-awake`);
      const below = descendantsOf(pid);
      // In every fourth round one call is sure to be under way; else the moment is anybody's.
      const isSure = round % 4 === 0;
      const last = names.at(-1) ?? '';
      const calls = names.map(async (n, index) => {
        const tool = index % 2 === 0 ? 'counted/get_one' : 'counted/create_one';
        await hub.tools.call({
          tool,
          args: { n, ms: isSure && n === last ? 60_000 : index * 3, api_key: 'sk-never-written' },
        });
        answered.add(n);
      });
      const ended = Promise.allSettled(calls);
      if (isSure) await waitFor(() => counted.received().includes(last), 30_000);
      else await new Promise((resolve) => void setTimeout(resolve, 5 + ((round * 7) % 40)));
      await killHub(running, below);
      await ended;
    }
    running = await startHub(home);
    const records = await allRecords(running.hub);
    const received = counted.received();
    expect(withoutRecord(`kill -9, ${KILLS} times`, received, records)).toEqual([]);
    const names = records.map(nameOf);
    expect(new Set(names).size).toBe(names.length);
    const unknown = records.filter(({ outcome }) => outcome === 'unknown');
    console.log(`${unknown.length} of them ended as unknown`);
    expect(unknown.length).toBeGreaterThan(0);
    // What was answered is known, and none of it became unknown later.
    expect(unknown.filter((record) => answered.has(nameOf(record)))).toEqual([]);
    expect(unknown[0]).toMatchObject({ server: 'counted', effect: 'allow', by: { kind: 'default' } });
    expect(JSON.stringify(records)).not.toContain('sk-never-written');
    expect(await running.hub.audit.verify()).toMatchObject({ intact: true, records: records.length });
    // Another start closes nothing a second time.
    await stopHub(running);
    running = await startHub(home);
    expect(await allRecords(running.hub)).toHaveLength(records.length);
  },
  400_000,
);
