import { createInterface } from 'node:readline/promises';
import { PlugError } from '../../base/errors.ts';
import { askHidden } from '../hidden-line.ts';
import { pressKey } from '../key-press.ts';
import { sanitizeLine } from '../sanitize.ts';
import type { Terminal } from '../terminal.ts';
import type { Keyboard } from './keyboard.ts';

/**
 * The terminal as commands see it from inside a chat: questions go through the keyboard that the
 * chat holds, and Esc or Ctrl-C at one stops the command, not the chat.
 */
export function chatTerminal(terminal: Terminal, keyboard: Keyboard): Terminal {
  const { stderr } = terminal.streams;
  const output = stderr;
  return {
    stdout: terminal.stdout,
    stderr: terminal.stderr,
    streams: terminal.streams,
    interactive: true,
    ask: (question, signal, preset) => askLine({ terminal, keyboard, question, signal, preset }),
    askKey: async (question, options) => {
      using borrowed = keyboard.borrow();
      return await pressKey({ input: borrowed.input, output, question: cleaned(question), ...options });
    },
    askHidden: async (question, signal) => {
      using borrowed = keyboard.borrow();
      const typed = await askHidden(cleaned(question), { input: borrowed.input, output, signal });
      if (typed === undefined) throw stopped('interrupt');
      return typed;
    },
    readLine: () => Promise.resolve(undefined),
    readInput: () => Promise.reject(noInput()),
    readBytes: () => Promise.reject(noInput()),
  };
}

/** Which key ended a question without an answer. */
export function stoppedBy(error: unknown): 'escape' | 'interrupt' | undefined {
  if (!(error instanceof PlugError) || error.code !== 'cancelled') return undefined;
  const key = error.details?.['key'];
  return key === 'escape' || key === 'interrupt' ? key : undefined;
}

async function askLine({
  terminal,
  keyboard,
  question,
  signal,
  preset,
}: {
  readonly terminal: Terminal;
  readonly keyboard: Keyboard;
  readonly question: string;
  readonly signal: AbortSignal;
  readonly preset: string | undefined;
}): Promise<string> {
  using borrowed = keyboard.borrow();
  const { input } = borrowed;
  const lines = createInterface({ input, output: terminal.streams.stderr, terminal: true, historySize: 0 });
  const given = Promise.withResolvers<never>();
  const stop = (key: 'escape' | 'interrupt'): void => {
    terminal.stderr.write('\n');
    given.reject(stopped(key));
  };
  lines.once('SIGINT', () => stop('interrupt'));
  const onClose = (): void => given.reject(stopped('escape')); // Ctrl-D, or nobody is there
  lines.once('close', onClose);
  input.once('end', () => given.reject(stopped('escape')));
  input.on('keypress', (_text: string | undefined, key: { readonly name?: string }) => {
    if (key.name === 'escape') stop('escape');
  });
  try {
    const answer = lines.question(cleaned(question), { signal });
    if (preset !== undefined) lines.write(preset);
    return await Promise.race([answer, given.promise]);
  } finally {
    lines.off('close', onClose);
    lines.close();
  }
}

/** A question may quote a server: it is one line, and holds nothing that drives the terminal. */
function cleaned(question: string): string {
  return `${sanitizeLine(question)}${/\s$/.test(question) ? ' ' : ''}`;
}

function stopped(key: 'escape' | 'interrupt'): PlugError {
  return new PlugError('cancelled', 'You stopped it.', { owner: 'you', details: { key } });
}

function noInput(): PlugError {
  return new PlugError('usage', 'Inside a chat nothing can be read from standard input.', {
    owner: 'you',
    remedy: 'Leave with /quit and run the command in the shell.',
  });
}
