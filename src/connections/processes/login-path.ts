import { spawn } from 'node:child_process';
import { basename, delimiter } from 'node:path';
import type { Runtime } from '../limits.ts';
import { childEnvironment } from './environment.ts';
import { splitPath } from './find-command.ts';
import { killGroup } from './kill.ts';
import { wellKnownFolders } from './well-known-folders.ts';
import { within } from './within.ts';

export interface LoginPathOptions extends Runtime {
  readonly hubEnv: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** The PATH of the user's terminal: a hub started by a desktop lacks the folders that a login shell adds. */
export class LoginPath {
  readonly #options: LoginPathOptions;
  #found: Promise<string> | undefined;
  /** The earlier answer of `get`, for callers that must not start a shell. */
  known: string | undefined;

  constructor(options: LoginPathOptions) {
    this.#options = options;
  }

  /** The hub's own PATH first, then what the login shell adds. Asked once, then remembered. */
  get(): Promise<string> {
    this.#found ??= this.#find();
    return this.#found;
  }

  async #find(): Promise<string> {
    const { hubEnv, home, platform } = this.#options;
    const own = hubEnv['PATH'] ?? hubEnv['Path'] ?? '';
    if (platform === 'win32') return (this.known = own);
    const login = await askShell(this.#options);
    const added = login === undefined ? await wellKnownFolders(home) : splitPath(login, platform);
    this.known = [...new Set([...splitPath(own, platform), ...added])].join(delimiter);
    return this.known;
  }
}

/** Shells that understand -i, -l and -c. */
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish']);

/**
 * Asks an interactive login shell, because version managers write to either kind of start file. The
 * answer stands between two random words, apart from other output of the start files.
 */
async function askShell(options: LoginPathOptions): Promise<string | undefined> {
  const { hubEnv, home, platform, clock, ids, limits } = options;
  const shell = hubEnv['SHELL'];
  if (!shell?.startsWith('/') || !SHELLS.has(basename(shell))) return undefined;
  const word = ids.next('path');
  const env = childEnvironment({ hubEnv, declared: {}, path: hubEnv['PATH'] ?? '/usr/bin:/bin', platform });
  const child = spawn(shell, ['-i', '-l', '-c', `printf '%s' "${word} $PATH ${word}"`], {
    cwd: home,
    env: { ...env, TERM: 'dumb' },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  const answered = new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
      if (output.length > limits.loginPathBytesMax || output.split(word).length > 2) resolve();
    });
  });
  await within(answered, limits.loginPathTimeoutMs, clock);
  // The shell has not been reaped before its exit event, so the group's number is still ours.
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    killGroup(child.pid, 'SIGKILL');
  }
  child.stdout.destroy();
  const answer = output.split(word)[1];
  return answer === undefined ? undefined : Buffer.from(answer, 'latin1').toString('utf8').slice(1, -1);
}
