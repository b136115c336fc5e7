import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { hasCode, PlugError } from './errors.ts';
import type { Paths } from './paths.ts';
import type { Remedy } from './remedy.ts';

/** Why a file or a folder must not be obeyed: another user may have written what is in it. */
export interface ForeignPlace {
  /** Where it is wrong: the place itself, a folder above it, or a link on the way. */
  readonly path: string;
  /** A sentence without its full stop. */
  readonly says: string;
  readonly remedy: Remedy;
}

/** Refuses our folders before anything in them is read, run or spoken to. */
export function checkOwnFolders({ config, data, state }: Paths): void {
  for (const folder of new Set([config, data, state])) checkOwnPlace(folder);
}

/**
 * The same for everything that stands directly in them. A folder that was open once may hold files
 * of other users after it was closed.
 */
export function checkOwnContents({ config, data, state }: Paths): void {
  for (const folder of new Set([config, data, state])) {
    for (const name of namesIn(folder)) checkOwnPlace(join(folder, name));
  }
}

export function checkOwnPlace(path: string): void {
  const foreign = foreignPlace(path);
  if (!foreign) return;
  throw new PlugError('denied', `${foreign.says}, so Plugboard doesn't use it.`, {
    owner: 'you',
    remedy: foreign.remedy,
    details: { path: foreign.path },
  });
}

/**
 * Walks from the root to the place, through every link, as the system would. All that is on the way
 * must belong to this user or to root, and no other user may write it; a shared folder with the
 * sticky bit, such as /tmp, is fine above it. Behind a folder that only this user can enter, modes
 * do not matter any more. Undefined when all is well, and where nothing is there yet.
 *
 * Windows has no such modes: there the folder of the user is private by its access list.
 */
export function foreignPlace(path: string): ForeignPlace | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  let steps = stepsOf(resolve(path));
  let here = '/';
  let closed = false;
  for (let links = 0; ;) {
    const found = statOf(here);
    if (!found) return undefined;
    const last = steps.length === 0;
    if (found.isSymbolicLink()) {
      if (!isTrusted(found, uid, last)) return belongs(here, found, uid);
      if ((links += 1) > LINKS_MAX)
        return { path: here, says: `${here} leads in circles`, remedy: { do: 'run', line: `ls -l ${here}` } };
      const target = readlinkSync(here);
      const whole = isAbsolute(target) ? target : join(dirname(here), target);
      [steps, here, closed] = [[...stepsOf(resolve(whole)), ...steps], '/', false];
      continue;
    }
    if (!isTrusted(found, uid, last)) return belongs(here, found, uid);
    const sticky = !last && found.isDirectory() && (found.mode & 0o1000) !== 0;
    if (!closed && !sticky && othersMayWrite(found)) return open(here, found, last);
    if (found.isDirectory() && found.uid === uid && (found.mode & 0o077) === 0) closed = true;
    const [next, ...rest] = steps;
    if (next === undefined) return undefined;
    [steps, here] = [rest, join(here, next)];
  }
}

const LINKS_MAX = 40;

function stepsOf(path: string): readonly string[] {
  return path.split('/').filter((step) => step !== '');
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    // What is not there, or cannot be reached, is not obeyed either.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EACCES')) return undefined;
    throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'EACCES')) return [];
    throw error;
  }
}

/** Root can do everything anyway. */
function isTrusted({ uid }: Stats, own: number, last: boolean): boolean {
  return uid === own || uid === 0 || (!last && uid === NOBODY && isRootHidden());
}

const NOBODY = 65_534;

/**
 * In a sandbox that knows only its own user, root shows as “nobody”: then the folders above tell
 * nothing by their owner, and only their modes count.
 */
function isRootHidden(): boolean {
  const map = textOf('/proc/self/uid_map').trim();
  return map !== '' && !map.split('\n').some((line) => line.trim().split(/\s+/)[0] === '0');
}

function othersMayWrite({ mode, gid }: Stats): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivateGroup(gid));
}

/** Many systems give each user a group of their own, and make files writable for it. */
function isPrivateGroup(gid: number): boolean {
  if (gid !== process.getgid?.()) return false;
  const rows = (file: string): readonly (readonly string[])[] =>
    textOf(file)
      .split('\n')
      .map((line) => line.split(':'));
  const name = rows('/etc/passwd').find((row) => Number(row[2]) === process.getuid?.())?.[0];
  const primary = rows('/etc/passwd').filter((row) => row.length > 3 && Number(row[3]) === gid);
  const group = rows('/etc/group').find((row) => row.length > 3 && Number(row[2]) === gid);
  const members = (group?.[3] ?? '').split(',').filter((member) => member !== '');
  // Where the tables do not know the user, the group may have members that they do not know either.
  return name !== undefined && [...primary.map((row) => row[0]), ...members].every((one) => one === name);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not this system's way to say it
  }
}

function belongs(path: string, found: Stats, own: number): ForeignPlace {
  const { uid } = found;
  const root = own === 0 ? '; you are root here, perhaps by sudo' : '';
  if (!found.isDirectory()) {
    return {
      path,
      says: `${path} belongs to another user (uid ${uid}${root})`,
      remedy: { do: 'say', text: `Look at what it is (ls -l ${path}), then remove it.` },
    };
  }
  return {
    path,
    says: `${path} belongs to another user (uid ${uid}${root})`,
    remedy: {
      do: 'say',
      text:
        own === 0
          ? 'Run Plugboard as the user whose folder it is, or set PLUG_HOME to a folder of root’s.'
          : `Set PLUG_HOME to a folder of yours, or remove this one once you know what it is: ls -ld ${path}`,
    },
  };
}

function open(path: string, { mode }: Stats, last: boolean): ForeignPlace {
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return {
    path,
    says: `Other users can write ${path} (mode ${shown})`,
    remedy:
      last && (mode & 0o111) !== 0
        ? { do: 'say', text: `Look at what is in it, then: chmod 700 ${path}` }
        : { do: 'run', line: `chmod go-w ${path}` },
  };
}
