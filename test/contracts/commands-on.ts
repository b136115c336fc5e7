import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { runCli } from '../../src/cli/run.ts';
import type { HubControl } from '../../src/cli/session.ts';
import type { Hub } from '../../src/hub/hub.ts';
import { patience } from '../suite/patience.ts';

export interface Typed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Answers that nothing asked for. */
  readonly unused: readonly string[];
}

export interface PersonOptions {
  /** Without a terminal no question can be asked. */
  readonly terminal?: boolean;
  readonly cwd?: string;
  readonly columns?: number;
}

/** Runs command lines on a hub in this process; each question gets the next of the answers. */
export function commandsOn(
  hub: Hub,
  { terminal = false, cwd = process.cwd(), columns = 200 }: PersonOptions = {},
): (argv: readonly string[], ...answers: readonly string[]) => Promise<Typed> {
  const shared = { ...hub, [Symbol.asyncDispose]: () => Promise.resolve() };
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
  return async (argv, ...answers) => {
    const waiting = [...answers];
    let answered = 0;
    const stdin = Object.assign(new PassThrough(), { isTTY: terminal });
    const written = { stdout: '', stderr: '' };
    const screen = (name: 'stdout' | 'stderr'): Writable & { isTTY: boolean; columns: number } =>
      Object.assign(
        new Writable({
          write: (chunk: Buffer, _encoding, done) => {
            written[name] += chunk.toString();
            const shown = stripVTControlCharacters(written.stderr);
            const isNew = shown.length > answered; // and not the same line, drawn again
            if (terminal && isNew && /[:\]] $/.test(shown) && waiting.length > 0) {
              answered = shown.length;
              const answer = typed(waiting.shift());
              setImmediate(() => stdin.write(answer));
            }
            done();
          },
        }),
        { isTTY: terminal, columns },
      );
    const code = await runCli({
      argv,
      env: { NO_COLOR: '1' },
      cwd,
      version: '1.0.0',
      signal: AbortSignal.timeout(patience(20_000)),
      hubs,
      stdin: () => stdin,
      stdout: screen('stdout'),
      stderr: screen('stderr'),
    });
    return { code, ...written, unused: waiting };
  };
}

/** Escape is a key of its own; everything else is a line. */
function typed(answer: string | undefined): string {
  return answer === '\u001b' ? answer : `${answer}\n`;
}
