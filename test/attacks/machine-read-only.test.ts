import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const LONG_MS = 120_000;

function mount(...words: readonly string[]): boolean {
  return spawnSync('/bin/mount', words).status === 0;
}

verifies(
  ['attack:read-only-disk', 'H2'],
  'on a read-only disk no call runs, every command says so with a next step, and nothing is lost',
  async () => {
    const disk = temporaryFolder();
    if (!mount('-t', 'tmpfs', '-o', 'mode=755', 'tmpfs', disk)) {
      console.warn('NOT TRIED: a read-only disk. This test needs the right to mount one: run it as root.');
      expect(process.platform).toBeTypeOf('string');
      return;
    }
    // Hooks run from the last to the first: the hub stops, the disk goes, and then its folder.
    onTestFinished(() => void spawnSync('/bin/umount', [disk]));
    const home = join(disk, 'home');
    mkdirSync(home, { mode: 0o700 });
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { home });
    expect((await plug('add', 'demo', '--yes', '--', ...fixtureCommand('dual'))).code).toBe(0);
    expect((await plug('hub', 'stop')).code).toBe(0);
    expect(mount('-o', 'remount,ro', disk)).toBe(true);
    for (const argv of [['list'], ['call', 'demo/echo', 'message=hi']]) {
      const { code, stdout, stderr } = await plug(...argv);
      expect({ argv, code, stdout }).toMatchObject({ code: 1, stdout: '' });
      expect(stderr).toContain(`can't write its folder ${home}/plug: the disk is read-only`);
      expect(stderr).toMatch(/next +Make it writable/);
      expect(stderr).not.toMatch(/plug crashed|\bat .*\.js:\d+/);
    }
    const doctor = await plug('doctor');
    expect(doctor.code).not.toBe(0);
    expect(doctor.stdout).toMatch(/FAIL +storage +.* is on a disk that is read-only/);
    expect(mount('-o', 'remount,rw', disk)).toBe(true);
    expect((await plug('call', 'demo/echo', 'message=hi')).stdout).toBe('hi\n');
    expect((await plug('hub', 'stop')).code).toBe(0);
  },
  LONG_MS,
);
