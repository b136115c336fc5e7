import { lstatSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { waitFor } from '../../../test/servers/start.ts';
import { temporaryFolder } from '../../../test/servers/temporary-folder.ts';
import { systemClock } from '../../base/clock.ts';
import { systemIds } from '../../base/ids.ts';
import { doorLimits } from './limits.ts';
import { LinkFiles } from './links.ts';

const LINK = 'http://127.0.0.1:1/#open=x';

function filesIn(folder: string): { files: LinkFiles; timers: (() => void)[] } {
  const timers: (() => void)[] = [];
  const after = (_ms: number, run: () => void): (() => void) => {
    timers.push(run);
    return () => undefined;
  };
  return { files: new LinkFiles({ folder, clock: { ...systemClock, after }, ids: systemIds }), timers };
}

test('a file leads to the page and is its owner’s alone, until its link was used', async () => {
  const folder = temporaryFolder();
  const { files } = filesIn(folder);
  const file = await files.write(LINK);
  expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${LINK}"`);
  if (process.platform !== 'win32') expect(lstatSync(file).mode & 0o777).toBe(0o600);
  files.remove(file);
  await waitFor(() => readdirSync(folder).length === 0);
});

test('a file goes when the time of its link is over, and with the hub', async () => {
  const folder = temporaryFolder();
  const { files, timers } = filesIn(folder);
  await files.write(LINK);
  await files.write(LINK);
  timers[0]?.();
  await waitFor(() => readdirSync(folder).length === 1);
  await files.close();
  expect(readdirSync(folder)).toEqual([]);
});

test('what a killed hub left behind goes with the next link; fresh files and those of others stay', async () => {
  const folder = temporaryFolder();
  const old = new Date(systemClock.now() - 2 * doorLimits.linkMs);
  for (const name of ['plugboard-open_old.html', 'plugboard-open_new.html', 'notes.html']) {
    writeFileSync(join(folder, name), '');
    if (!name.includes('new')) utimesSync(join(folder, name), old, old);
  }
  symlinkSync('/nowhere', join(folder, 'plugboard-open_link.html'));
  const { files } = filesIn(folder);
  await files.write(LINK);
  await waitFor(() => !readdirSync(folder).includes('plugboard-open_old.html'));
  await files.close();
  expect(readdirSync(folder).toSorted()).toEqual([
    'notes.html',
    'plugboard-open_link.html',
    'plugboard-open_new.html',
  ]);
});
