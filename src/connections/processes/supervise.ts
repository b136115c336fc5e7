import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { assert, messageOf, PlugError } from '../../base/errors.ts';
import { PosixProcess } from './posix-process.ts';
import { chooseShell } from './choose-shell.ts';
import { startTimeOf } from './process-table.ts';
import type { ProcessOptions, ServerProcess } from './server-process.ts';
import { LAUNCHER_NAME, LAUNCHER_SCRIPT, TREE_VARIABLE, watcherScript } from './supervisor-script.ts';
import { WindowsProcess, windowsSpawn } from './windows-process.ts';

/** Starts a server in a process group of its own that cannot outlive the hub. */
export async function startProcess(options: ProcessOptions): Promise<ServerProcess> {
  assert(isAbsolute(options.command), 'a command is found before it is started');
  await checkFolder(options.cwd);
  const marker = options.ids.next('tree');
  const child = await spawned(options, marker);
  const pid = child.pid;
  assert(pid !== undefined, 'a spawned process has a pid');
  const make = process.platform === 'win32' ? WindowsProcess : PosixProcess;
  // The handlers are attached before the first wait: an exit in between is not missed.
  const server = new make({ child, pid, marker, clock: options.clock, limits: options.limits });
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
      next: 'Correct “command” in the definition of the server.',
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
    next: `Create ${cwd}, or change “cwd” in the server's definition.`,
  });
}
