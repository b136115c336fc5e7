import { constants } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import { PlugError } from '../../base/errors.ts';

export interface ShellChoice {
  readonly shell: string;
  /** File descriptors that the launcher must close before it becomes the server. */
  readonly closes: readonly number[];
}

/**
 * /bin/sh starts almost every server. Two things it may not do, and bash can: hand on a variable
 * whose name is not a shell word (`API-KEY`), and close a file descriptor above 9.
 */
export async function chooseShell(env: Readonly<Record<string, string>>): Promise<ShellChoice> {
  inherited ??= inheritedFds();
  const fds = await inherited;
  const odd = Object.keys(env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd === undefined && fds.every(isOneDigit)) return { shell: '/bin/sh', closes: fds };
  const bash = await firstRunnable(['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']);
  if (bash) return { shell: bash, closes: fds };
  // A descriptor too many does no harm; a variable that silently goes missing does.
  if (odd === undefined) return { shell: '/bin/sh', closes: fds.filter(isOneDigit) };
  throw new PlugError('bad_config', `Without bash the variable “${odd}” cannot be given to the server.`, {
    owner: 'you',
    next: 'Install bash, or use a variable name of letters, digits and underscores.',
  });
}

function isOneDigit(fd: number): boolean {
  return fd < 10;
}

/**
 * Node opens everything so that children do not inherit it. What they would inherit all the same
 * was open when this process started, given by whoever started it; so it is looked up once.
 */
let inherited: Promise<readonly number[]> | undefined;

const CLOSE_ON_EXEC = 0o2000000;

async function inheritedFds(): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const fds = (await readdir('/proc/self/fd')).map(Number).filter((fd) => fd > 2);
  const kept = await Promise.all(fds.map(isKeptOnExec));
  return fds.filter((_, index) => kept[index]);
}

async function isKeptOnExec(fd: number): Promise<boolean> {
  try {
    const info = await readFile(`/proc/self/fdinfo/${fd}`, 'latin1');
    const flags = /^flags:\s*([0-7]+)/m.exec(info)?.[1];
    return flags !== undefined && (parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // closed in the meantime: it was our own
  }
}

async function firstRunnable(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const runs = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (runs) return file;
  }
  return undefined;
}
