import { constants } from 'node:fs';
import { access, lstat, readdir, statfs } from 'node:fs/promises';
import { exactShellWord } from '../../base/shell-words.ts';
import { messageOf } from '../../base/errors.ts';
import type { DoctorRow } from '../hub.ts';
import type { Examination } from './checked-server.ts';
import { count, DENIED, doctorLimits, fail, failedBy, MISSING_INPUT, pass, type Rows, warn } from './rows.ts';
import { join } from 'node:path';
import { keyFilePath, readKeyFile } from '../../vault/key-file.ts';
import { MASTER_KEY_VARIABLE, readMasterKeyVariable } from '../../vault/key-variable.ts';
import type { MasterKey } from '../../vault/master-key.ts';
import type { Paths } from '../../base/paths.ts';
import { isOurs } from '../../base/private-files.ts';

/** The database answers, its folder can be written, the disk has room, and other users can't read it. */
export async function lookAtStorage({ core }: Examination): Promise<Rows> {
  const { storage, owner, options } = core;
  const { data } = options.paths;
  await storage.servers.listServers(owner);
  if (storage.kind === 'memory') return pass('storage', 'In memory: nothing is saved.');
  const [room, blocked, open] = await Promise.all([
    freeBytes(data),
    notWritable(data),
    exposedFiles(options.paths),
  ]);
  if (blocked !== undefined) {
    const remedy = { do: 'run', line: `ls -ld ${data}` } as const;
    return fail('storage', `${data} cannot be written: ${blocked}.`, { ...STORAGE_FAILED, remedy });
  }
  const foreign = await foreignFolder(options.paths);
  if (foreign !== undefined) {
    const says = `${foreign} belongs to another user, who can read and change what Plugboard keeps there.`;
    const line = `sudo chown -R "$(id -u)" ${exactShellWord(foreign) ?? foreign}`;
    return fail('storage', says, { ...DENIED, remedy: { do: 'run', line } });
  }
  // The vault's own check reports its key.
  const exposed = open.filter((file) => !file.endsWith('.key'));
  const rows: DoctorRow[] = [];
  if (room < doctorLimits.diskFreeBytesMin) {
    const says = `Only ${Math.floor(room / 1024 / 1024)} MB are free where ${data} is.`;
    const make = room < doctorLimits.diskFreeBytesMin / 10 ? fail : warn;
    rows.push(make('storage', says, { ...STORAGE_FAILED, remedy: { do: 'run', line: `df -h ${data}` } }));
  }
  if (exposed.length > 0) {
    const says = `Other users can read ${count(exposed.length, 'file or folder', 'files or folders')} of Plugboard.`;
    const remedy = { do: 'check', fix: true } as const;
    rows.push(warn('storage', says, { ...DENIED, remedy, details: exposed, fix: TIGHTEN }));
  }
  const kind = storage.kind === 'sqlite' ? `SQLite in ${data}` : 'PostgreSQL';
  return rows.length > 0 ? rows : [pass('storage', `${kind}, readable and writable.`)];
}

const STORAGE_FAILED = { cause: 'storage_failed', owner: 'you' } as const;
const TIGHTEN = { id: 'tighten-files', says: 'make our own files private' };

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

/** Where the key of the vault is, and whether it is there. The keyring is asked only with `live`. */
export async function lookAtVault(examination: Examination): Promise<Rows> {
  const { core } = examination;
  const ring = await core.storage.vault.getKeyRing(core.owner);
  if (!ring) return pass('vault', 'No secrets yet.');
  const { master } = ring;
  const problem = await keyProblem(examination, master);
  if (problem) return problem;
  const { locked, warning } = await core.vault.status();
  const names = await core.vault.list(core.owner);
  const held = `${count(names.length, 'secret')}, key ${KEPT[master.kind]}`;
  if (locked) {
    const says = `${held}. The vault is locked.`;
    return warn('vault', says, { ...MISSING_INPUT, remedy: { do: 'unlock-vault' } });
  }
  const name = names[0];
  if (examination.live && name !== undefined) {
    try {
      await core.vault.get(core.owner, name);
    } catch (error) {
      return failedBy('vault', error);
    }
  }
  return pass('vault', `${held}.`, { details: warning === undefined ? [] : [warning] });
}

const KEPT: Readonly<Record<MasterKey['kind'], string>> = {
  keyring: "in the system's keyring",
  passphrase: 'from your passphrase',
  environment: `in the variable ${MASTER_KEY_VARIABLE}`,
  file: 'in a file beside it',
};

/** Reads the key without changing anything or prompting. */
async function keyProblem({ core }: Examination, master: MasterKey): Promise<DoctorRow | undefined> {
  const { env, paths } = core.options;
  const folder = join(paths.data, 'vault');
  try {
    if (master.kind === 'file' && !(await readKeyFile(folder, master.id))) {
      const file = keyFilePath(folder, master.id);
      const says = `The vault cannot be opened: its key ${file} is not there.`;
      return fail('vault', says, { ...MISSING_INPUT, remedy: `Bring ${file} back from a backup.` });
    }
    if (master.kind === 'environment' && !readMasterKeyVariable(env)) {
      const says = `The vault cannot be opened: the variable ${MASTER_KEY_VARIABLE} is not set.`;
      const remedy = `Set ${MASTER_KEY_VARIABLE} where the hub is started, then restart the hub.`;
      return fail('vault', says, { ...MISSING_INPUT, remedy });
    }
    return undefined;
  } catch (error) {
    return failedBy('vault', error, master.kind === 'file' ? { fix: TIGHTEN } : {});
  }
}

/** Private files of ours; the user's own are not among them. */
const OWN = /^(?:plugboard\.db(?:-wal|-shm)?|hub\.(?:json|token|log(?:\.1)?))$|\.key$/;

/** Our folders, and the private files in them, that other users can read or change. */
export async function exposedFiles({ config, data, state }: Paths): Promise<readonly string[]> {
  if (process.platform === 'win32') return []; // the folder of the user is private by its access list
  const own = [...new Set([data, state, join(data, 'vault')])];
  const files = await Promise.all(
    own.map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => []);
      return names.filter((name) => OWN.test(name)).map((name) => join(folder, name));
    }),
  );
  // Config files may be read by others, as many are; to change one is to run a program as the user.
  const all = [...own, ...files.flat()].map((path) => ({ path, open: 0o077 }));
  const known = own.includes(config) ? all : [...all, { path: config, open: 0o022 }];
  const found = await Promise.all(known.map(isExposed));
  return known.flatMap(({ path }, index) => (found[index] === true ? [path] : []));
}

async function isExposed({ path, open }: { readonly path: string; readonly open: number }): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined); // it went while we looked
  return found !== undefined && !found.isSymbolicLink() && isOurs(found.uid) && (found.mode & open) !== 0;
}

/** A folder of somebody else cannot be made private by us. */
async function foreignFolder({ config, data, state }: Paths): Promise<string | undefined> {
  const folders = [...new Set([data, state, config])];
  const found = await Promise.all(folders.map((folder) => lstat(folder).catch(() => undefined)));
  return folders.find((_, index) => found[index] !== undefined && !isOurs(found[index].uid));
}
