import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { messageOf } from '../../base/errors.ts';
import type { DoctorRow } from '../hub.ts';
import { doctorLimits } from './limits.ts';
import { exposedFiles } from './own-files.ts';
import type { Visit } from './patient.ts';
import { count, fail, pass, warn } from './rows.ts';

/** The database answers, its folder can be written, the disk has room, and nobody else can read it. */
export async function lookAtStorage({ core }: Visit): Promise<readonly DoctorRow[]> {
  const { storage, owner, options } = core;
  const { data } = options.paths;
  await storage.servers.listServers(owner);
  if (storage.kind === 'memory') return [pass('storage', 'In memory: nothing is kept.')];
  const [room, blocked, open] = await Promise.all([
    freeBytes(data),
    notWritable(data),
    exposedFiles(options.paths),
  ]);
  if (blocked !== undefined) {
    const says = `${data} cannot be written: ${blocked}.`;
    return [fail('storage', says, { cause: 'storage_failed', owner: 'you', next: `ls -ld ${data}` })];
  }
  // Of its key the vault speaks.
  const exposed = open.filter((file) => !file.endsWith('.key'));
  const rows: DoctorRow[] = [];
  if (room < doctorLimits.diskFreeBytesMin) {
    const says = `Only ${Math.floor(room / 1024 / 1024)} MB are free where ${data} is.`;
    const more = { cause: 'storage_failed', owner: 'you', next: `df -h ${data}` } as const;
    rows.push(
      room < doctorLimits.diskFreeBytesMin / 10 ? fail('storage', says, more) : warn('storage', says, more),
    );
  }
  if (exposed.length > 0) {
    const says = `Other users may read ${count(exposed.length, 'file')} of Plugboard.`;
    const fix = { id: 'tighten-files', says: 'make our own files private' };
    rows.push(
      warn('storage', says, {
        cause: 'denied',
        owner: 'you',
        next: 'plug doctor --fix',
        details: exposed,
        fix,
      }),
    );
  }
  const kind = storage.kind === 'sqlite' ? `SQLite in ${data}` : 'PostgreSQL';
  return rows.length > 0 ? rows : [pass('storage', `${kind}, readable and writable.`)];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function notWritable(folder: string): Promise<string | undefined> {
  return access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
}
