import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives a run a temporary folder in memory, where there is one that is large enough: hubs write
 * databases, logs and homes by the thousand, and on a disk each costs its file system more than its
 * test. Where there is none the usual folder is used.
 */
export default function temporary(): (() => void) | undefined {
  if (process.env['TMPDIR'] !== undefined || !existsSync(MEMORY)) return undefined;
  removeOld();
  const { bavail, bsize } = statfsSync(MEMORY);
  if (bavail * bsize < BYTES_MIN) return undefined;
  // Short: the path of a socket below it has a hundred characters at most.
  const folder = join(MEMORY, `plug-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // As the usual one: for every user of the machine, and nobody takes away what is another's.
  chmodSync(folder, 0o1777);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  if (runsPrograms(folder)) process.env['TMPDIR'] = folder;
  return remove;
}

const MEMORY = '/dev/shm';
const BYTES_MIN = 4 * 1024 ** 3;

/** Of runs that were killed. */
function removeOld(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = /^plug-(\d+)$/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}

/** Containers often forbid it there; tests write programs. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
