import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { cancelled, userError } from './failures.ts';
import { cliLimits } from './limits.ts';
import { oneLine } from './sanitize.ts';

export interface Terminal {
  readonly stdout: TerminalWriter;
  readonly stderr: TerminalWriter;
  /** A person can be asked: both the questions and the answers go through a terminal. */
  readonly interactive: boolean;
  /** For code that edits lines and draws rows itself. */
  readonly streams: Streams;
  ask(question: string, signal: AbortSignal, preset?: string): Promise<string>;
  /** One key: `enter` and `escape` by name. Only in a chat is Ctrl-C a key, `interrupt`. */
  askKey(question: string, options: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<string>;
  askHidden(question: string, signal: AbortSignal): Promise<string>;
  /** Absent where keys can't be told apart. */
  readonly keys?: ((signal: AbortSignal) => AsyncIterable<string>) | undefined;
  readLine(signal: AbortSignal): Promise<string | undefined>;
  readInput(): Promise<string>;
  readBytes(bytesMax: number): Promise<Buffer>;
}

export interface TerminalWriter {
  readonly isTerminal: boolean;
  /** Columns of the terminal now; endless when there is none, so that nothing is cut in a pipe. */
  readonly width: number;
  /** False once the reader at the other end has gone. */
  readonly isOpen: boolean;
  write(text: string): void;
}

type OutputStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};
export type InputStream = Readable & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (on: boolean) => unknown;
  readonly ref?: () => unknown;
  readonly unref?: () => unknown;
};

export interface Streams {
  readonly columns?: string | undefined;
  /** Opened only when it is needed. */
  readonly stdin: () => InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Around every question: what shows progress steps aside. */
  readonly aside?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Ctrl-C at a question: the terminal is raw then, so that it is a key and no signal. */
  readonly interrupt?: () => void;
}

export function openTerminal(streams: Streams): Terminal {
  const { stdin, stdout, stderr, columns, aside = (work) => work() } = streams;
  const interrupted = (): never => {
    streams.interrupt?.();
    throw cancelled('You stopped it.');
  };
  const lines = new InputLines(stdin);
  return {
    streams,
    stdout: writerOf(stdout, columns),
    stderr: writerOf(stderr, columns),
    get interactive() {
      return stdin().isTTY === true && stderr.isTTY === true;
    },
    ask: (question, signal, preset) =>
      aside(async () => (await askLine(streams, oneLine(question), signal, preset)) ?? interrupted()),
    askKey: (question, options) =>
      aside(async () => {
        const { pressKey } = await import('./key-input.ts');
        const key = await pressKey({
          input: stdin(),
          output: stderr,
          question: oneLine(question),
          ...options,
        });
        return key === 'interrupt' ? interrupted() : key;
      }),
    askHidden: (question, signal) =>
      aside(async () => {
        const { askHidden } = await import('./key-input.ts');
        const options = { input: stdin(), output: stderr, signal };
        const answer = await askHidden(oneLine(question), options);
        return 'typed' in answer ? answer.typed : interrupted();
      }),
    get keys() {
      const canRead = stdin().isTTY === true && typeof stdin().setRawMode === 'function';
      return canRead ? (signal: AbortSignal) => keysOf(stdin(), signal, interrupted) : undefined;
    },
    readLine: (signal) => lines.next(signal),
    readInput: async () => (await readAll(stdin(), limits.apiBodyBytesMax)).toString('utf8'),
    readBytes: (bytesMax) => readAll(stdin(), bytesMax),
  };
}

/** Undefined for Ctrl-C. */
async function askLine(
  { stdin, stderr }: Streams,
  question: string,
  signal: AbortSignal,
  preset: string | undefined,
): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises');
  const input = stdin();
  input.ref?.(); // an earlier question may have unref'd it
  const lines = createInterface({ input, output: stderr });
  const interrupted = Promise.withResolvers<undefined>();
  lines.once('SIGINT', () => {
    stderr.write('\n');
    interrupted.resolve(undefined);
  });
  try {
    const answer = lines.question(question, { signal });
    if (preset !== undefined) lines.write(preset);
    return await Promise.race([answer, interrupted.promise]);
  } finally {
    lines.close();
  }
}

async function* keysOf(input: InputStream, signal: AbortSignal, interrupted: () => never) {
  const { readKeys } = await import('./key-input.ts');
  for await (const key of readKeys(input, signal)) yield key === 'interrupt' ? interrupted() : key;
}

function writerOf(stream: OutputStream, columns: string | undefined): TerminalWriter {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    get width() {
      return isTerminal ? stream.columns || columnsOf(columns) : Number.POSITIVE_INFINITY;
    },
    get isOpen() {
      return stream.writable;
    },
    write: (text) => {
      if (stream.writable) stream.write(text);
    },
  };
}

function columnsOf(given = ''): number {
  const columns = Number(given);
  if (!Number.isInteger(columns) || columns < 1) return cliLimits.widthUnknown;
  return Math.min(Math.max(columns, cliLimits.widthMin), cliLimits.widthMax);
}

async function readAll(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk as Buffer | string); // a byte stream yields nothing else
    bytes += buffer.length;
    if (bytes > bytesMax) throw userError('too_large', `Standard input holds more than ${bytesMax} bytes.`);
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}

type Input = Readable & { readonly ref?: () => unknown; readonly unref?: () => unknown };

/** Reads standard input only while a line is wanted. */
class InputLines {
  readonly #open: () => Input;
  #text = '';
  #ended = false;

  constructor(open: () => Input) {
    this.#open = open;
  }

  async next(signal: AbortSignal): Promise<string | undefined> {
    while (!this.#text.includes('\n') && !this.#ended) await this.#more(signal);
    if (this.#text === '') return undefined;
    const [line = ''] = this.#text.split('\n', 1);
    this.#text = this.#text.slice(line.length + 1);
    return line.replace(/\r$/, '');
  }

  #more(signal: AbortSignal): Promise<void> {
    const input = this.#open();
    return new Promise((resolve, reject) => {
      if (input.readableEnded || input.destroyed) {
        this.#ended = true;
        return resolve();
      }
      const settle = (then: () => void): void => {
        // Even a paused pipe may read on to fill its buffer, and would keep the process alive.
        input.unref?.();
        input.pause().off('data', onData).off('end', onEnd).off('close', onEnd).off('error', onError);
        signal.removeEventListener('abort', onAbort);
        then();
      };
      const onData = (chunk: Buffer | string): void => {
        this.#text += chunk.toString();
        settle(
          this.#text.length > limits.apiBodyBytesMax
            ? () => reject(userError('too_large', 'A line on standard input is too long.'))
            : resolve,
        );
      };
      const onEnd = (): void => {
        this.#ended = true;
        settle(resolve);
      };
      const onError = (error: Error): void => settle(() => reject(error));
      // The reason is whatever the caller aborts with.
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      if (signal.aborted) return onAbort();
      input.ref?.();
      signal.addEventListener('abort', onAbort, { once: true });
      return input.on('data', onData).once('end', onEnd).once('close', onEnd).once('error', onError).resume();
    });
  }
}
