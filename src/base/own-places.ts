import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasCode, PlugError } from './errors.ts';
import type { Paths } from './paths.ts';
import type { Remedy } from './remedy.ts';

/** Why a file or folder is not used: another user may have written it. */
export interface ForeignPlace {
  /** Where it is wrong: the place itself, a folder above it, or a link on the way. */
  readonly path: string;
  readonly says: string;
  readonly remedy: Remedy;
}

/** Refuses our folders before anything in them is read, run or connected to. */
export function checkOwnFolders({ config, data, state }: Paths): void {
  for (const folder of new Set([config, data, state])) checkOwnPlace(folder);
}

/** The same for everything directly in them: a folder that was open once may hold files of other users. */
export function checkOwnContents({ config, data, state }: Paths): void {
  for (const folder of new Set([config, data, state])) {
    for (const name of ifThere(() => readdirSync(folder)) ?? []) checkOwnPlace(join(folder, name));
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
 * Walks from the root to the place, through every link, as the system would. Everything on the way must
 * belong to this user or root, and no other user may write it, except a folder with the sticky bit, such
 * as /tmp, above it. Behind a folder that only this user can enter, modes don't matter. Undefined when all
 * is well or nothing is there yet, and on Windows, where an access list keeps the user's folder private.
 */
export function foreignPlace(path: string): ForeignPlace | undefined {
  const uid = process.getuid?.();
  if (uid === undefined) return undefined;
  let steps = stepsOf(resolve(path));
  let here = '/';
  let closed = false;
  for (let links = 0; ;) {
    const found = ifThere(() => lstatSync(here));
    if (!found) return undefined;
    const last = steps.length === 0;
    if (found.isSymbolicLink()) {
      if (!isTrusted(found, uid, last)) return belongs(here, found, uid);
      if ((links += 1) > LINKS_MAX)
        return { path: here, says: `${here} leads in circles`, remedy: { do: 'run', line: `ls -l ${here}` } };
      const target = resolve(dirname(here), readlinkSync(here));
      [steps, here, closed] = [[...stepsOf(target), ...steps], '/', false];
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

/** A place that is not there, or cannot be reached, is not used either. */
function ifThere<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].some((code) => hasCode(error, code))) return undefined;
    throw error;
  }
}

/** Root can do anything anyway. */
function isTrusted({ uid }: Stats, own: number, last: boolean): boolean {
  return uid === own || uid === 0 || (!last && uid === NOBODY && isRootHidden());
}

const NOBODY = 65_534;

/** In a sandbox that knows only its own user, root shows as “nobody”: there only modes count. */
function isRootHidden(): boolean {
  const map = fileText('/proc/self/uid_map').trim();
  return map !== '' && !map.split('\n').some((line) => line.trim().split(/\s+/)[0] === '0');
}

function othersMayWrite({ mode, gid }: Stats): boolean {
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivateGroup(gid));
}

/** Many systems give each user their own group, and make files writable for it. */
function isPrivateGroup(gid: number): boolean {
  if (gid !== process.getgid?.()) return false;
  const [users, groups] = ['/etc/passwd', '/etc/group'].map((file) =>
    fileText(file)
      .split('\n')
      .map((line) => line.split(':')),
  ) as [string[][], string[][]]; // one for each file
  const name = users.find((row) => Number(row[2]) === process.getuid?.())?.[0];
  const primary = users.filter((row) => row.length > 3 && Number(row[3]) === gid);
  const group = groups.find((row) => row.length > 3 && Number(row[2]) === gid);
  const members = (group?.[3] ?? '').split(',').filter((member) => member !== '');
  // If the tables don't know the user, the group may have unknown members too.
  return name !== undefined && [...primary.map((row) => row[0]), ...members].every((one) => one === name);
}

function fileText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // not this system's way to say it
  }
}

function belongs(path: string, found: Stats, own: number): ForeignPlace {
  const root = own === 0 ? '; you are root here, perhaps by sudo' : '';
  const ofFolder =
    own === 0
      ? 'Run Plugboard as the user whose folder it is, or set PLUG_HOME to a folder of root’s.'
      : `Set PLUG_HOME to a folder of yours, or remove this one after you check it: ls -ld ${path}`;
  const text = found.isDirectory() ? ofFolder : `Check it (ls -l ${path}), then remove it.`;
  const says = `${path} belongs to another user (uid ${found.uid}${root})`;
  return { path, says, remedy: { do: 'say', text } };
}

function open(path: string, { mode }: Stats, last: boolean): ForeignPlace {
  const shown = (mode & 0o7777).toString(8).padStart(4, '0');
  return {
    path,
    says: `Other users can write ${path} (mode ${shown})`,
    remedy:
      last && (mode & 0o111) !== 0
        ? { do: 'say', text: `Check its content, then: chmod 700 ${path}` }
        : { do: 'run', line: `chmod go-w ${path}` },
  };
}
