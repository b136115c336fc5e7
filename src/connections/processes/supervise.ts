import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { assert, messageOf, PlugError } from '../../base/errors.ts';
import { firstRunnable } from './find-command.ts';
import { PosixTree } from './posix-tree.ts';
import { startTimeOf } from './process-table.ts';
import { ChildServer, type ProcessOptions, type ServerProcess } from './server-process.ts';
import { LAUNCHER_NAME, LAUNCHER_SCRIPT, TREE_VARIABLE, watcherScript } from './supervisor-script.ts';
import { windowsSpawn, windowsTree } from './windows-tree.ts';

/** Starts a server in a process group of its own that cannot outlive the hub. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  assert(isAbsolute(options.command), 'a command is found before it is started');
  await checkFolder(options.cwd);
  const marker = options.ids.next('tree');
  const child = await spawned(options, marker);
  const { pid } = child;
  assert(pid !== undefined, 'a spawned process has a pid');
  const parts = { child, pid, marker, clock: options.clock, limits: options.limits };
  // The handlers are attached before the first wait: an exit in between is not missed.
  const tree = process.platform === 'win32' ? windowsTree(parts) : new PosixTree(parts);
  const server = new ChildServer(parts, tree);
  server.startTime = (await startTimeOf(pid)) ?? '';
  return server;
}

async function spawned(options: ProcessOptions, marker: string): Promise<ChildProcess> {
  try {
    const child = await spawnFor(options, marker);
    await once(child, 'spawn');
    return child;
  } catch (error) {
    if (error instanceof PlugError) throw error;
    throw new PlugError('start_failed', `${options.command} could not be started: ${messageOf(error)}.`, {
      owner: 'you',
      remedy: 'Correct “command” in the definition of the server.',
      cause: error,
    });
  }
}

async function spawnFor(options: ProcessOptions, marker: string): Promise<ChildProcess> {
  const { command, args, cwd, limits } = options;
  const env = { ...options.env, [TREE_VARIABLE]: marker };
  if (process.platform === 'win32') return windowsSpawn({ command, args, cwd, env });
  const watcher = watcherScript({ termMs: limits.stopTermMs });
  const { shell, closes } = await chooseShell(env);
  const script = [LAUNCHER_SCRIPT, LAUNCHER_NAME, watcher, marker, closes.join(' ')];
  return spawn(shell, ['-c', ...script, command, ...args], {
    // Called sh, bash reads no start files, not even when its input is a socket.
    argv0: 'sh',
    cwd,
    env,
    detached: true,
    shell: false,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
}

/** Node reports a missing folder as a missing command; we say which it is. */
async function checkFolder(cwd: string): Promise<void> {
  const found = await stat(cwd).catch((error: unknown) => messageOf(error));
  if (typeof found !== 'string' && found.isDirectory()) return;
  throw new PlugError('bad_config', `The server's working folder ${cwd} is not there.`, {
    owner: 'you',
    remedy: `Create ${cwd}, or change “cwd” in the server's definition.`,
  });
}

/** Only bash passes on a variable whose name is not a shell word (`API-KEY`), and closes an fd above 9. */
async function chooseShell(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly shell: string; readonly closes: readonly number[] }> {
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
    remedy: 'Install bash, or use a variable name of letters, digits and underscores.',
  });
}

function isOneDigit(fd: number): boolean {
  return fd < 10;
}

/** Node opens no inheritable files: any others were open when this process started, so they are looked up once. */
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
    return false; // closed meanwhile: it was our own
  }
}
