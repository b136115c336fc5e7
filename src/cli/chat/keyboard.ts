import { createInterface } from 'node:readline/promises';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { PlugError } from '../../base/errors.ts';
import { userError } from '../failures.ts';
import { askHidden, pressKey } from '../key-input.ts';
import { sanitizeLine } from '../sanitize.ts';
import type { InputStream, Terminal } from '../terminal.ts';
import { chatLimits } from './limits.ts';

interface IdleKeys {
  readonly interrupt: () => void;
  readonly escape: () => void;
}

interface BorrowedKeys extends Disposable {
  readonly input: Readable;
}

/** The chat holds the terminal in raw mode: Ctrl-C is always a key and never ends the program. */
export class Keyboard implements Disposable {
  readonly #input: InputStream;
  readonly #decoder = new StringDecoder('utf8');
  readonly #borrowers: Readable[] = [];
  #idle: IdleKeys | undefined;
  #typedAhead = '';
  #ended = false;

  constructor(input: InputStream) {
    this.#input = input;
    this.raw(true);
    input.ref?.();
    input.on('data', this.#onData).once('end', this.#onEnd).once('close', this.#onEnd).resume();
  }

  get ended(): boolean {
    return this.#ended;
  }

  raw(on: boolean): void {
    this.#input.setRawMode?.(on);
  }

  /** The last borrower gets the keys first. */
  borrow(): BorrowedKeys {
    const input = new Readable({ read: () => undefined });
    this.#borrowers.push(input);
    // A line that was asked for after the end has to hear of the end too.
    if (this.#ended) queueMicrotask(() => input.emit('end'));
    const giveBack = (): void => {
      const at = this.#borrowers.indexOf(input);
      if (at >= 0) this.#borrowers.splice(at, 1);
      input.removeAllListeners();
    };
    return { input, [Symbol.dispose]: giveBack };
  }

  watch(idle: IdleKeys): Disposable {
    const before = this.#idle;
    this.#idle = idle;
    return { [Symbol.dispose]: () => void (this.#idle = before) };
  }

  /** The first line typed while something ran: the next prompt begins with it, it is never sent unseen. */
  takeTypedAhead(): string {
    const [line = '', ...rest] = this.#typedAhead.split('\n');
    this.#typedAhead = rest.join('\n');
    return line;
  }

  [Symbol.dispose](): void {
    this.#input.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd).pause();
    this.raw(false);
    this.#input.unref?.();
  }

  readonly #onData = (chunk: Buffer | string): void => {
    const text = typeof chunk === 'string' ? chunk : this.#decoder.write(chunk);
    if (text === '') return;
    const borrower = this.#borrowers.at(-1);
    // Handed on by hand, so that it arrives at once, in order, and in the pieces in which it was typed.
    if (borrower) borrower.emit('data', Buffer.from(text));
    else this.#hear(text);
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    this.#idle?.interrupt();
    for (const borrower of this.#borrowers) borrower.emit('end');
  };

  #hear(text: string): void {
    if (text === '\u001b') return this.#idle?.escape();
    const stop = text.indexOf('\u0003');
    if (stop >= 0) {
      this.#hear(text.slice(0, stop));
      return this.#idle?.interrupt();
    }
    const plain = text
      .replace(SEQUENCE, '')
      .replaceAll('\r', '\n')
      .replaceAll('\t', ' ')
      .replace(/(?!\n)\p{Cc}/gu, '');
    const typed = (this.#typedAhead + plain).replace(/^\n+/, '').replace(/\n{2,}/g, '\n');
    this.#typedAhead = typed.slice(0, chatLimits.typedAheadChars);
    return undefined;
  }
}

// oxlint-disable-next-line no-control-regex -- keys are told by their control characters.
const SEQUENCE = /\u001b(\[[0-9;?<]*[ -/]*[@-~]|O.|.)/g;

/** The terminal for commands inside a chat: Esc or Ctrl-C at a question stops only the command. */
export function chatTerminal(terminal: Terminal, keyboard: Keyboard): Terminal {
  const { stdout, stderr, streams } = terminal;
  const output = streams.stderr;
  return {
    stdout,
    stderr,
    streams,
    interactive: true,
    ask: async (question, signal, preset) => {
      using borrowed = keyboard.borrow();
      return await askLine(terminal, borrowed, cleaned(question), { signal, preset });
    },
    askKey: async (question, options) => {
      using borrowed = keyboard.borrow();
      return await pressKey({ input: borrowed.input, output, question: cleaned(question), ...options });
    },
    askHidden: async (question, signal) => {
      using borrowed = keyboard.borrow();
      const { input } = borrowed;
      const answer = await askHidden(cleaned(question), { input, output, signal, escapes: true });
      if ('left' in answer) throw stopped(answer.left);
      return answer.typed;
    },
    readLine: () => Promise.resolve(undefined),
    readInput: () => Promise.reject(noInput()),
    readBytes: () => Promise.reject(noInput()),
  };
}

export function stoppedBy(error: unknown): 'escape' | 'interrupt' | undefined {
  if (!(error instanceof PlugError) || error.code !== 'cancelled') return undefined;
  const key = error.details?.['key'];
  return key === 'escape' || key === 'interrupt' ? key : undefined;
}

async function askLine(
  { streams }: Terminal,
  { input }: BorrowedKeys,
  question: string,
  { signal, preset }: { readonly signal: AbortSignal; readonly preset: string | undefined },
): Promise<string> {
  const output = streams.stderr;
  const lines = createInterface({ input, output, terminal: true, historySize: 0 });
  const given = Promise.withResolvers<never>();
  const stop = (key: 'escape' | 'interrupt'): void => {
    output.write('\n');
    given.reject(stopped(key));
  };
  lines.once('SIGINT', () => stop('interrupt'));
  const onClose = (): void => given.reject(stopped('escape')); // Ctrl-D, or input has ended
  lines.once('close', onClose);
  input.once('end', onClose);
  input.on('keypress', (_text: string | undefined, key: { readonly name?: string }) => {
    if (key.name === 'escape') stop('escape');
  });
  try {
    const answer = lines.question(question, { signal });
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
  return userError('cancelled', 'You stopped it.', { details: { key } });
}

function noInput(): PlugError {
  return userError('usage', 'Inside a chat nothing can be read from standard input.', {
    remedy: 'Leave with /quit and run the command in the shell.',
  });
}
