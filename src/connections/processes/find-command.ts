import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join, posix, resolve, win32 } from 'node:path';
import { PlugError } from '../../base/errors.ts';
import { shellWord } from '../../base/shell-words.ts';
import { howToInstall } from '../causes/installers.ts';
import { wellKnownFolders } from './well-known-folders.ts';

export interface FindCommandOptions {
  readonly command: string;
  /** Where a command with a slash starts from. */
  readonly cwd: string;
  readonly path: string;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Windows: endings that count as commands. */
  readonly pathExt?: string | undefined;
}

/** Answers the absolute path of a command, or throws with the folders that were searched. */
export async function findCommand(options: FindCommandOptions): Promise<string> {
  const { command, platform } = options;
  if (command.trim() === '' || command.includes('\0')) {
    throw new PlugError('bad_config', 'The server has no command to start.', {
      owner: 'you',
      remedy: 'Set “command” in the server’s definition.',
    });
  }
  if (command.includes('/') || (platform === 'win32' && command.includes('\\'))) return findByPath(options);
  const folders = splitPath(options.path, platform);
  const found = await findIn(folders, options);
  if (found) return found;
  throw await missing(folders, options);
}

/** The folders of a PATH. An empty entry means the current folder, which we never search. */
export function splitPath(path: string, platform: NodeJS.Platform): readonly string[] {
  const flavour = platform === 'win32' ? win32 : posix;
  return [...new Set(path.split(flavour.delimiter).filter((folder) => flavour.isAbsolute(folder)))];
}

async function findByPath(options: FindCommandOptions): Promise<string> {
  const { command, cwd, home } = options;
  const written = command.startsWith('~/') ? join(home, command.slice(2)) : resolve(cwd, command);
  const found = await firstRunnable(candidates(written, options));
  if (found) return found;
  const there = await stat(written).then(
    (file) => file.isFile(),
    () => false,
  );
  const message = there ? `${written} is there, but it may not be executed.` : `There is no file ${written}.`;
  throw new PlugError('missing_command', message, {
    owner: 'you',
    remedy: there
      ? { do: 'run', line: `chmod +x ${shellWord(written)}` }
      : 'Correct “command” in the definition of the server.',
    details: { command },
  });
}

function findIn(folders: readonly string[], options: FindCommandOptions): Promise<string | undefined> {
  return firstRunnable(folders.flatMap((folder) => candidates(join(folder, options.command), options)));
}

function candidates(file: string, options: FindCommandOptions): readonly string[] {
  if (options.platform !== 'win32') return [file];
  const endings = (options.pathExt ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((ending) => ending !== '');
  const named = endings.some((ending) => file.toLowerCase().endsWith(ending.toLowerCase()));
  return named ? [file] : endings.map((ending) => file + ending.toLowerCase());
}

export async function firstRunnable(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) if (await isRunnable(file)) return file;
  return undefined;
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false; // missing, not executable, or a dangling link
  }
}

async function missing(folders: readonly string[], options: FindCommandOptions): Promise<PlugError> {
  const { command, home } = options;
  const elsewhere = await findIn(await wellKnownFolders(home), options);
  const install = howToInstall(command);
  const nowhere = folders.length === 0 ? ' The PATH is empty.' : '';
  const comes = install && install.program !== command ? ` It comes with ${install.program}.` : '';
  const message = elsewhere
    ? `The command ${command} is not on the PATH, but there is one at ${elsewhere}.`
    : `${command} isn't installed.${comes}${nowhere}`;
  return new PlugError('missing_command', message, {
    owner: 'you',
    remedy: elsewhere
      ? `ln -s ${shellWord(elsewhere)} ~/.local/bin/, or set “command” to ${elsewhere}`
      : (install ?? 'Install it, or give its full path as “command”.'),
    details: { command, looked: folders, ...(elsewhere ? { elsewhere } : {}) },
  });
}
