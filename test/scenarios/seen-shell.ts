import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import { patience } from '../suite/patience.ts';
import { watched, type Watched } from './seen-plug.ts';
import { COLUMNS, ROWS } from './seen-screen.ts';

export interface Shell extends Watched {
  /** Types a line and waits until the shell wants the next one; `keys` answers what is asked meanwhile. */
  readonly run: (line: string, keys?: (shell: Shell) => Promise<void>) => Promise<void>;
  /** Like `says`, but only what was written since the last line or key counts. */
  readonly shows: (pattern: RegExp) => Promise<string>;
  /** Types keys as an answer: what was shown before them is not waited for again. */
  readonly press: (keys: string) => void;
}

/** A person's shell in a real terminal. Its prompt is a dollar sign. */
export async function openShell(env: Readonly<Record<string, string>>, cwd: string): Promise<Shell> {
  const line = `stty cols ${COLUMNS} rows ${ROWS}; exec bash --noprofile --norc -i`;
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm', PS1: '$ ', HISTFILE: '/dev/null', ...env },
  });
  let recent = '';
  child.stdout.on('data', (chunk: Buffer) => (recent += chunk.toString()));
  const terminal = watched(child);
  const press = (keys: string): void => {
    recent = '';
    terminal.type(keys);
  };
  const shows = async (pattern: RegExp): Promise<string> => {
    const late = AbortSignal.timeout(SHOWN_MS);
    for (;;) {
      const found = pattern.exec(stripVTControlCharacters(recent).replaceAll('\r', ''));
      if (found) return found[1] ?? found[0];
      const more = once(child.stdout, 'data', { signal: late });
      await Promise.race([more, terminal.ended]).catch(() => undefined); // the next line tells
      if (late.aborted || child.exitCode !== null) {
        throw new Error(`It never showed ${String(pattern)}:\n${terminal.screen()}`);
      }
    }
  };
  const shell: Shell = {
    ...terminal,
    press,
    shows,
    run: async (typed, keys) => {
      press(`${typed}\r`);
      await keys?.(shell);
      await shows(PROMPT);
    },
  };
  await shows(/\$ $/);
  return shell;
}

const PROMPT = /\n\$ $/;
/** A bound against hanging, on a busy machine too. */
const SHOWN_MS = patience(60_000);
