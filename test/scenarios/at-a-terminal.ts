import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import type { Hub } from '../../src/hub/hub.ts';
import { openHub } from '../../src/hub/open-hub.ts';
import { runCli } from '../../src/cli/run.ts';
import type { HubControl } from '../../src/cli/session.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { patience } from '../suite/patience.ts';

export interface Person {
  readonly hub: Hub;
  readonly cwd: string;
  /** Runs a command; each question is answered with the next of these lines. */
  readonly type: (argv: readonly string[], ...answers: readonly string[]) => Promise<Typed>;
}

export interface Typed {
  readonly code: number;
  /** Everything that the terminal showed, what was typed included. */
  readonly shown: string;
  readonly unused: readonly string[];
}

/** Somebody at a terminal, with a hub of their own in this process. */
export async function atATerminal(
  env: Readonly<Record<string, string>> = {},
  home: string = temporaryFolder(),
): Promise<Person> {
  const cwd = temporaryFolder();
  const hub = await openHub({
    paths: { config: home, data: home, state: home },
    cwd,
    env: { PATH: process.env['PATH'], PLUG_NO_KEYRING: '1', ...env },
    version: '1.0.0',
  });
  onTestFinished(() => hub.close());
  // Each command lets go of its connection; the hub itself lives as long as the test.
  const shared: Hub = {
    ...hub,
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  const never = (): Promise<never> => Promise.reject(new Error('This test starts no hub.'));
  const hubs: HubControl = {
    connect: () => Promise.resolve(shared),
    start: never,
    run: never,
    runTeam: never,
    running: () => Promise.resolve(shared),
    find: () => Promise.resolve(undefined),
    openAddress: () => Promise.resolve(false),
    pageLink: () => Promise.reject(new Error('there is no page here')),
    openPage: () => Promise.reject(new Error('there is no page here')),
    stop: () => Promise.resolve(undefined),
  };
  const type: Person['type'] = async (argv, ...answers) => {
    const waiting = [...answers];
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    let shown = '';
    let answered = '';
    const screen = (asks: boolean): Writable & { isTTY: boolean; columns: number } =>
      Object.assign(
        new Writable({
          write: (chunk: Buffer, _encoding, done) => {
            shown += chunk.toString();
            // A line editor moves its cursor after it has asked: that is the same question still.
            const read = stripVTControlCharacters(shown);
            if (asks && isQuestion(read) && read !== answered && waiting.length > 0) {
              answered = read;
              setImmediate(() => stdin.write(`${waiting.shift()}\n`));
            }
            done();
          },
        }),
        { isTTY: true, columns: 200 },
      );
    const code = await runCli({
      argv,
      env: { NO_COLOR: '1', PLUG_HOME: home },
      cwd,
      version: '1.0.0',
      signal: AbortSignal.timeout(patience(30_000)),
      hubs,
      stdin: () => stdin,
      stdout: screen(false),
      stderr: screen(true),
    });
    return { code, shown, unused: waiting };
  };
  return { hub, cwd, type };
}

/** A question ends in a blank without a line end. */
function isQuestion(read: string): boolean {
  return /[:\]] $/.test(read);
}
