import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { runCli } from '../../src/cli/run.ts';
import type { HubControl } from '../../src/cli/session.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub, type HubOptions } from '../../src/hub/open-hub.ts';
import { QUICK } from '../models/agent-world.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';
import { withoutWaiting } from './plug-command.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Answers that no question was asked for. */
  readonly unused: readonly string[];
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input; without a terminal. */
  readonly input?: string;
  /** At a terminal: each question is answered with the next of these lines. */
  readonly answers?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Runs a command in this process on a hub that is there already. */
export async function runOnHub(hub: Hub, argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const isTTY = options.answers !== undefined;
  const waiting = [...(options.answers ?? [])];
  const stdin = Object.assign(new PassThrough(), { isTTY });
  if (!isTTY) stdin.end(options.input ?? '');
  const written = { stdout: '', stderr: '' };
  let answered = '';
  const stream = (name: keyof typeof written): Writable & { isTTY: boolean; columns: number } =>
    Object.assign(
      new Writable({
        write: (chunk: Buffer, _encoding, done) => {
          written[name] += chunk.toString();
          const shown = stripVTControlCharacters(written.stderr);
          // A line editor may draw the same question twice; it is one.
          if (name === 'stderr' && shown !== answered && /[:\]] $/.test(shown) && waiting.length > 0) {
            answered = shown;
            setImmediate(() => stdin.write(`${waiting.shift()}\n`));
          }
          done();
        },
      }),
      { isTTY, columns: 200 },
    );
  const code = await runCli({
    argv,
    env: { NO_COLOR: '1', ...options.env },
    cwd: options.cwd ?? temporaryFolder(),
    version: '1.0.0',
    signal: options.signal ?? AbortSignal.timeout(patience(30_000)),
    hubs: controlOf(hub),
    stdin: () => stdin,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  const stderr = isTTY ? written.stderr : withoutWaiting(written.stderr);
  return { code, ...written, stderr, unused: waiting };
}

/** Each command lets go of its connection; the hub itself lives as long as the test. */
function controlOf(hub: Hub): HubControl {
  const shared = { ...hub, close: () => Promise.resolve(), [Symbol.asyncDispose]: () => Promise.resolve() };
  const never = (): Promise<never> => Promise.reject(new Error('This test starts no hub.'));
  return {
    connect: () => Promise.resolve(shared),
    running: () => Promise.resolve(shared),
    start: never,
    run: never,
    runTeam: never,
    find: () => Promise.resolve(undefined),
    openAddress: () => Promise.resolve(false),
    pageLink: () => Promise.reject(new Error('there is no page here')),
    openPage: () => Promise.reject(new Error('there is no page here')),
    stop: () => Promise.resolve(undefined),
  };
}

/** A hub of its own that talks to models, for as long as the test. */
export async function hubWithAgent(
  more: Partial<HubOptions> = {},
  home: string = temporaryFolder(),
): Promise<Hub> {
  const hub = await openHub({
    paths: { config: home, data: home, state: home },
    cwd: temporaryFolder(),
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1' },
    version: '1.0.0',
    openAgent: async (face) =>
      (await import('../../src/agent/open-agent.ts')).openAgent(face, { limits: QUICK }),
    ...more,
  });
  onTestFinished(() => hub.close());
  return hub;
}
