import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Paths } from '../../src/base/paths.ts';
import { verifies } from '../requirements.ts';
import { waitFor } from '../servers/start.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import {
  allRecords,
  countingServer,
  makeHome,
  startHub,
  stopHub,
  withoutRecord,
  type HubProcess,
} from './06-world.ts';
import { patience } from '../suite/patience.ts';

const CALLS = 14;

/** A way to let no byte more onto the disk of a running hub, and then to let them again. */
interface Disk {
  readonly name: string;
  readonly through: (folder: string) => readonly string[];
  readonly fill: (pid: number, folder: string) => void;
  readonly free: (pid: number, folder: string) => void;
}

/** A small disk of its own below the data, which nobody but the hub sees. */
const smallDisk: Disk = {
  name: 'a full disk',
  through: (folder) => [
    'unshare',
    '-rm',
    'sh',
    '-c',
    'mount -t tmpfs -o size=6m tmpfs "$0" && exec "$@"',
    folder,
  ],
  fill: (pid, folder) => {
    const file = openSync(fillerOf(pid, folder), 'w');
    try {
      for (;;) writeSync(file, Buffer.alloc(4096));
    } catch (error) {
      expect(error).toMatchObject({ code: 'ENOSPC' });
    } finally {
      closeSync(file);
    }
  },
  free: (pid, folder) => rmSync(fillerOf(pid, folder)),
};

/** As the process sees the folder. */
function fillerOf(pid: number, folder: string): string {
  return join('/proc', String(pid), 'root', folder, 'filler');
}

/** Where no disk can be mounted, and beside it: the system lets no file of the process grow. */
const fileLimit: Disk = {
  name: 'a limit on the size of files',
  through: () => [],
  fill: (pid) => void execFileSync('prlimit', ['--pid', String(pid), '--fsize=0:unlimited']),
  free: (pid) => void execFileSync('prlimit', ['--pid', String(pid), '--fsize=unlimited:unlimited']),
};

const canMount =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', tmpdir()]).status === 0;
if (!canMount) console.log('No disk can be mounted here: the limit on the size of files stands for it.');

for (const disk of canMount ? [smallDisk, fileLimit] : [fileLimit]) {
  verifies(
    ['L9', 'attack:6'],
    `with ${disk.name} no call reaches its server, reads included; each is told why at once, and later all work again`,
    async () => {
      const [home, outside] = [temporaryFolder(), temporaryFolder()];
      const env = { XDG_CONFIG_HOME: `${home}/c`, XDG_DATA_HOME: `${home}/d`, XDG_STATE_HOME: `${home}/s` };
      const paths: Paths = {
        config: `${home}/c/plugboard`,
        data: `${home}/d/plugboard`,
        state: `${home}/s/plugboard`,
      };
      mkdirSync(paths.data, { recursive: true, mode: 0o700 });
      makeHome(paths.config);
      const running: HubProcess = await startHub(home, { env, paths, through: disk.through(paths.data) });
      onTestFinished(() => stopHub(running));
      const { hub, pid } = running;
      const counted = countingServer(outside);
      await hub.servers.add({ definition: counted.definition });
      // Larger than what may still fit into a page that a file has begun.
      const call = (n: string, tool = 'get_one'): Promise<unknown> =>
        hub.tools.call({ tool: `counted/${tool}`, args: { n, text: 'x'.repeat(6_000) } });
      await call('before');
      await allRecords(hub);
      expect(counted.received()).toEqual(['before']);

      disk.fill(pid, paths.data);
      const started = performance.now();
      const refused = await Promise.allSettled(
        Array.from({ length: CALLS }, (_, index) =>
          call(`full-${index}`, index % 2 === 0 ? 'get_one' : 'create_one'),
        ),
      );
      const tookMs = performance.now() - started;
      console.log(`${disk.name}: ${CALLS} calls, ${counted.received().length - 1} dispatched`);
      expect(counted.received()).toEqual(['before']);
      for (const each of refused) {
        expect(each).toMatchObject({
          status: 'rejected',
          reason: {
            code: 'storage_failed',
            message: expect.stringMatching(/not called.*(no space left|file too large)/i),
            next: expect.any(String),
          },
        });
      }
      expect(tookMs).toBeLessThan(patience(1_600));

      disk.free(pid, paths.data);
      await waitFor(async () => {
        try {
          await call('after');
          return true;
        } catch {
          return false;
        }
      }, 5_000);
      await call('later', 'create_one');
      const records = await allRecords(hub);
      expect(withoutRecord(disk.name, counted.received(), records)).toEqual([]);
      expect(counted.received()).toEqual(['before', 'after', 'later']);
      expect(await hub.audit.verify()).toMatchObject({ intact: true });
    },
    60_000,
  );
}
