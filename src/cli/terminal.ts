import type { Readable, Writable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { limits } from '../base/limits.ts';
import { PlugError } from '../base/errors.ts';
import { InputLines } from './input-lines.ts';

/** The three streams of the process, as far as commands may know them. */
export interface Terminal {
  readonly stdout: TerminalWriter;
  readonly stderr: TerminalWriter;
  /** A person can be asked: both the questions and the answers go through a terminal. */
  readonly interactive: boolean;
  /** One question, one line of answer; with a preset the line begins as that, to be edited. */
  ask(question: string, signal: AbortSignal, preset?: string): Promise<string>;
  /** One question, one key: `enter`, `escape` and `interrupt` by name. */
  askKey(question: string, options: { readonly clock: Clock; readonly signal: AbortSignal }): Promise<string>;
  /** The same for a secret: it does not show while it is typed. */
  askHidden(question: string, signal: AbortSignal): Promise<string>;
  /** The next line of standard input, without a question; undefined when there is none. */
  readLine(signal: AbortSignal): Promise<string | undefined>;
  /** Everything on standard input, within the limit. */
  readInput(): Promise<string>;
  /** The same as bytes: it may be a picture. */
  readBytes(bytesMax: number): Promise<Buffer>;
}

export interface TerminalWriter {
  readonly isTerminal: boolean;
  /** Columns of the terminal; endless when there is none, so that nothing is cut in a pipe. */
  readonly width: number;
  /** False once the reader at the other end has gone. */
  readonly isOpen: boolean;
  write(text: string): void;
}

type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };
type InputStream = Readable & {
  readonly isTTY?: boolean;
  readonly setRawMode?: (on: boolean) => unknown;
  readonly ref?: () => unknown;
};

export interface Streams {
  /** Opened only when it is needed. */
  readonly stdin: () => InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

export function openTerminal({ stdin, stdout, stderr }: Streams): Terminal {
  const lines = new InputLines(stdin);
  return {
    stdout: writerOf(stdout),
    stderr: writerOf(stderr),
    get interactive() {
      return stdin().isTTY === true && stderr.isTTY === true;
    },
    ask: async (question, signal, preset) => {
      const { createInterface } = await import('node:readline/promises');
      const input = stdin();
      input.ref?.(); // whoever asked before may have let go of it
      const lines = createInterface({ input, output: stderr });
      try {
        const answer = lines.question(question, { signal });
        if (preset !== undefined) lines.write(preset);
        return await answer;
      } finally {
        lines.close();
      }
    },
    askKey: async (question, options) =>
      (await import('./key-press.ts')).pressKey({ input: stdin(), output: stderr, question, ...options }),
    askHidden: async (question, signal) =>
      (await import('./hidden-line.ts')).askHidden(question, { input: stdin(), output: stderr, signal }),
    readLine: (signal) => lines.next(signal),
    readInput: async () => (await readAll(stdin(), limits.apiBodyBytesMax)).toString('utf8'),
    readBytes: (bytesMax) => readAll(stdin(), bytesMax),
  };
}

function writerOf(stream: OutputStream): TerminalWriter {
  const isTerminal = stream.isTTY === true;
  return {
    isTerminal,
    width: isTerminal && stream.columns ? stream.columns : Number.POSITIVE_INFINITY,
    get isOpen() {
      return stream.writable;
    },
    write: (text) => {
      if (stream.writable) stream.write(text);
    },
  };
}

async function readAll(stream: Readable, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const buffer = Buffer.from(chunk as Buffer | string); // a byte stream yields nothing else
    bytes += buffer.length;
    if (bytes > bytesMax) {
      throw new PlugError('too_large', `Standard input holds more than ${bytesMax} bytes.`, {
        owner: 'you',
      });
    }
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}
