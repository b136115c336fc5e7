import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../requirements.ts';
import { fixtureCommand, newPlug } from '../scenarios/plug-command.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';

const LONG_MS = 120_000;

function mount(...words: readonly string[]): boolean {
  return spawnSync('/bin/mount', words).status === 0;
}

interface Spoiled {
  readonly spoil: (disk: string) => void;
  readonly heal: (disk: string) => void;
  readonly why: string;
  readonly next: RegExp;
  readonly doctor: RegExp;
}

const SPOILED: readonly Spoiled[] = [
  {
    spoil: (disk) => expect(mount('-o', 'remount,ro', disk)).toBe(true),
    heal: (disk) => expect(mount('-o', 'remount,rw', disk)).toBe(true),
    why: 'the disk is read-only',
    next: /next +Make it writable/,
    doctor: /FAIL +storage +.* is on a disk that is read-only/,
  },
  {
    spoil: (disk) =>
      expect(() => writeFileSync(join(disk, 'filler'), Buffer.alloc(DISK_BYTES))).toThrow('ENOSPC'),
    heal: (disk) => rmSync(join(disk, 'filler')),
    why: 'the disk is full',
    next: /next +Free space on its disk.* df -h /,
    doctor: /FAIL +storage +The disk of .* is full/,
  },
];

const DISK_BYTES = 8 * 1024 * 1024;

verifies(
  ['attack:read-only-disk', 'H2', 'R2'],
  'on a read-only or full disk no call runs, every command says so with a next step, and nothing is lost',
  async () => {
    const disk = temporaryFolder();
    if (!mount('-t', 'tmpfs', '-o', `mode=755,size=${DISK_BYTES}`, 'tmpfs', disk)) {
      console.warn('NOT TRIED: a read-only disk. This test needs the right to mount one: run it as root.');
      expect(process.platform).toBeTypeOf('string');
      return;
    }
    // Hooks run from the last to the first: the hub stops, the disk goes, and then its folder.
    onTestFinished(() => void spawnSync('/bin/umount', [disk]));
    const home = join(disk, 'home');
    mkdirSync(home, { mode: 0o700 });
    const plug = newPlug({ PLUG_NO_KEYRING: '1' }, { hub: 'process', home });
    expect((await plug('add', 'demo', '--yes', '--', ...fixtureCommand('dual'))).code).toBe(0);
    expect((await plug('hub', 'stop')).code).toBe(0);
    for (const { spoil, heal, why, next, doctor } of SPOILED) {
      spoil(disk);
      for (const argv of [['list'], ['call', 'demo/echo', 'message=hi']]) {
        const { code, stdout, stderr } = await plug(...argv);
        expect({ argv, code, stdout }).toMatchObject({ code: 1, stdout: '' });
        expect(stderr).toContain(`can't write its folder ${home}/plug: ${why}`);
        expect(stderr).toMatch(next);
        expect(stderr).not.toMatch(/plug crashed|\bat .*\.js:\d+/);
      }
      const found = await plug('doctor');
      expect(found.code).not.toBe(0);
      expect(found.stdout).toMatch(doctor);
      heal(disk);
      expect((await plug('call', 'demo/echo', 'message=hi')).stdout).toBe('hi\n');
      expect((await plug('hub', 'stop')).code).toBe(0);
    }
  },
  LONG_MS,
);
