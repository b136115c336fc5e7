import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifies } from '../../test/requirements.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { watchConfigFiles, type ConfigWatch } from './watch.ts';

let folder: string;
let watching: ConfigWatch | undefined;
let reported: string[];
let told: (() => void) | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plug-watch-'));
  reported = [];
});
afterEach(async () => {
  watching?.close();
  await rm(folder, { recursive: true, force: true });
});

function start(paths: readonly string[], clock: Clock = systemClock): void {
  watching = watchConfigFiles({
    paths,
    clock,
    onChange: (changed) => {
      reported.push(...changed);
      told?.();
    },
  });
}

/** Resolves when the next change is reported; the test's own limit ends a vain wait. */
function nextReport(): Promise<void> {
  return new Promise((resolve) => {
    told = resolve;
  });
}

async function expectReport(path: string, act: () => Promise<unknown>): Promise<void> {
  reported = [];
  const report = nextReport();
  await act();
  await report;
  expect(reported).toContain(path);
}

/** Long enough for the watches to stand and for any report that is still due. */
const calm = (): Promise<void> => systemClock.sleep(limits.configDebounceMs * 3);

verifies(
  ['S4'],
  'a config file is followed through being created, changed, replaced and removed',
  async () => {
    const path = join(folder, 'mcp.json');
    start([path]);
    await calm();
    await expectReport(path, () => writeFile(path, '{}'));
    await expectReport(path, () => writeFile(path, '{"a":1}'));
    await expectReport(path, async () => {
      await writeFile(`${path}.tmp`, '{"a":2}');
      await rename(`${path}.tmp`, path);
    });
    await expectReport(path, () => writeFile(path, '{"a":3}'));
    await expectReport(path, () => rm(path));
  },
);

verifies(
  ['S4'],
  'a file is noticed in a folder that appears later, and again after the folder was replaced',
  async () => {
    const path = join(folder, 'deep', 'er', 'mcp.json');
    start([path]);
    await calm();
    const create = async (): Promise<void> => {
      await mkdir(join(folder, 'deep', 'er'), { recursive: true });
      await writeFile(path, '{}');
    };
    await expectReport(path, create);
    await expectReport(path, () => rm(join(folder, 'deep'), { recursive: true }));
    await expectReport(path, create);
    await expectReport(path, () => writeFile(path, '{"a":1}'));
  },
);

test('a change behind a symbolic link is noticed', async () => {
  await mkdir(join(folder, 'dotfiles'));
  await mkdir(join(folder, 'config'));
  const target = join(folder, 'dotfiles', 'plug.json');
  const path = join(folder, 'config', 'mcp.json');
  await writeFile(target, '{}');
  await symlink(target, path);
  start([path]);
  await calm();
  await expectReport(path, () => writeFile(target, '{"a":1}'));
});

test('a change right after the watch began is not missed', async () => {
  const path = join(folder, 'mcp.json');
  await writeFile(path, '{}');
  await expectReport(path, async () => {
    start([path]);
    await writeFile(path, '{"changed":true}');
  });
});

test('only the files that changed are reported, each burst once, neighbours never', async () => {
  const [one, two] = [join(folder, 'one.json'), join(folder, 'two.json')];
  await writeFile(one, '{}');
  start([one, two]);
  await calm();
  const report = nextReport();
  await writeFile(join(folder, 'neighbour.json'), '{}');
  for (let count = 0; count < 20; count += 1) await writeFile(two, 'x'.repeat(count + 1));
  await report;
  await calm();
  expect(new Set(reported)).toEqual(new Set([two]));
  expect(reported.length).toBeLessThan(20);
});

test('where the file system reports nothing, looking from time to time finds the change', async () => {
  const path = join(folder, 'mcp.json');
  await writeFile(path, '{}');
  let tick = (): void => undefined;
  // Hints come through after(): a clock that never runs them is a file system without watches.
  const deaf: Clock = {
    ...systemClock,
    after: () => () => undefined,
    every: (_ms, run) => {
      tick = run;
      return () => undefined;
    },
  };
  start([path], deaf);
  await calm();
  await utimes(path, new Date(1), new Date(1));
  await calm();
  expect(reported).toEqual([]);
  await expectReport(path, () => Promise.resolve(tick()));
});

test('after close nothing is reported', async () => {
  const path = join(folder, 'mcp.json');
  start([path]);
  await calm();
  await writeFile(path, '{}');
  watching?.close();
  watching?.close();
  await calm();
  expect(reported).toEqual([]);
});
