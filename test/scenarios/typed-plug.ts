import { spawn, type ChildProcess } from 'node:child_process';
import { answerOf, bin, type Answer, type Plug } from './plug-command.ts';
import { quietHub } from '../suite/quiet-hub.ts';

type Env = Readonly<Record<string, string>>;

export interface Typing {
  readonly child: ChildProcess;
  readonly answer: Promise<Answer>;
  /** Resolves with the match once the command has written it, on either stream. */
  says(pattern: RegExp): Promise<string>;
  type(text: string): void;
}

/** A `plug` whose standard input stays open, so that one can answer it. */
export function startTyping(plug: Plug, argv: readonly string[], env: Env = {}): Typing {
  return typingTo(spawn(process.execPath, [bin, ...argv], options(plug, env)));
}

/** The same in a terminal of its own, as a person sees it. */
export function startInTerminal(plug: Plug, argv: readonly string[], env: Env = {}): Typing {
  return startProgramInTerminal(plug, [process.execPath, bin, ...argv], env);
}

/** Any program in a terminal of its own, with the folders of this `plug`. */
export function startProgramInTerminal(plug: Plug, words: readonly string[], env: Env = {}): Typing {
  const line = words.map((word) => `'${word}'`).join(' ');
  return typingTo(spawn('script', ['-qec', line, '/dev/null'], options(plug, { TERM: 'xterm', ...env })));
}

function options(
  plug: Plug,
  env: Env,
): { readonly cwd: string; readonly env: Record<string, string | undefined> } {
  const { PATH } = process.env;
  return {
    cwd: plug.cwd,
    env: { PATH, HOME: plug.home, PLUG_HOME: `${plug.home}/plug`, PLUG_NO_KEYRING: '1', ...quietHub, ...env },
  };
}

function typingTo(child: ReturnType<typeof spawn>): Typing {
  let said = '';
  const watchers = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    for (const look of watchers) look();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  child.stdin?.on('error', () => undefined); // it may have ended already
  const answer = answerOf(child).finally(() => child.stdin?.end());
  return {
    child,
    answer,
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = pattern.exec(said);
          if (!found) return;
          watchers.delete(look);
          resolve(found[1] ?? found[0]);
        };
        watchers.add(look);
        look();
        void answer.then(() => reject(new Error(`It ended without saying ${String(pattern)}: ${said}`)));
      }),
    type: (text) => void child.stdin?.write(text),
  };
}
