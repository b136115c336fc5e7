import { systemClock, type Clock } from '../base/clock.ts';
import { Progress, type Part } from './progress.ts';
import { safeJson, sanitize } from './sanitize.ts';
import type { Terminal, TerminalWriter } from './terminal.ts';

export type Style = 'strong' | 'faint' | 'good' | 'warn' | 'bad';

/** A part of a line: plain, or with a style. Neither may bring control characters of its own. */
export type Piece = string | { readonly style: Style; readonly text: string };

/**
 * Where commands write. Invariant: every string is cleaned here, once, on its way out;
 * the only escape sequences that reach a terminal are the styles of this file.
 */
export interface Output {
  readonly json: boolean;
  /** Styles are wanted where there is a terminal; forced: everywhere. */
  readonly color: boolean | 'forced';
  /** Columns that a line may take now: a terminal may be resized. */
  readonly width: number;
  /** The answer, on standard output. Silent when the answer is JSON. */
  line(...pieces: readonly Piece[]): void;
  /** The answer as one JSON document. Silent unless JSON was asked for. */
  document(value: unknown): void;
  /** One JSON record a line, for answers without an end. */
  record(value: unknown): void;
  /** Beside the answer, on standard error: problems and advice. */
  note(...pieces: readonly Piece[]): void;
  /** What is going on right now, until the next line is written. */
  progress(text: string, part?: Part): void;
  /**
   * The same for as long as the work takes, whatever else is written meanwhile. On a terminal a
   * line that replaces itself; elsewhere plain lines on standard error, rarely; with JSON nothing.
   */
  working<T>(text: string, work: (say: Say) => Promise<T>): Promise<T>;
  /** Nothing is drawn while this work, such as a question, has the terminal for itself. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Takes away what shows progress. Nothing is left on the terminal, however a command ends. */
  end(): void;
}

/** Other words for what is going on, and how far it is. */
export type Say = (text: string, part?: Part) => void;

export interface OutputOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** False turns styles off even on a terminal: NO_COLOR and --no-color. Forced: even in a pipe. */
  readonly color: boolean | 'forced';
  /** A terminal that cannot move its cursor: TERM=dumb. */
  readonly dumb?: boolean;
  readonly clock?: Clock;
}

export function openOutput(options: OutputOptions): Output {
  const { terminal, json, color, dumb = false, clock = systemClock } = options;
  const { stdout, stderr } = terminal;
  const redraws = stderr.isTerminal && !dumb;
  const progress = new Progress({ stderr, clock, silent: json, redraws });
  let works = 0;
  const clearProgress = (): void => {
    if (works > 0) progress.clear();
    else progress.end();
  };
  const print = (writer: TerminalWriter, pieces: readonly Piece[]): void => {
    clearProgress();
    const styled = color === 'forced' || (color && writer.isTerminal);
    writer.write(`${pieces.map((piece) => paint(piece, styled)).join('')}\n`);
  };
  return {
    json,
    color,
    get width() {
      return stdout.width;
    },
    line: (...pieces) => {
      if (!json) print(stdout, pieces);
    },
    document: (value) => {
      clearProgress();
      if (json) stdout.write(`${safeJson(value, 2)}\n`);
    },
    record: (value) => {
      if (json) stdout.write(`${safeJson(value)}\n`);
    },
    note: (...pieces) => print(stderr, pieces),
    progress: (text, part) => progress.say(text, part),
    working: async (text, work) => {
      works += 1;
      progress.say(text);
      try {
        return await work((other, part) => progress.say(other, part));
      } finally {
        works -= 1;
        if (works === 0) progress.end();
      }
    },
    aside: (work) => progress.whilePaused(work),
    end: () => progress.end(),
  };
}

const STYLES: Readonly<Record<Style, readonly [on: string, off: string]>> = {
  strong: ['\u001b[1m', '\u001b[22m'],
  faint: ['\u001b[2m', '\u001b[22m'],
  good: ['\u001b[32m', '\u001b[39m'],
  warn: ['\u001b[33m', '\u001b[39m'],
  bad: ['\u001b[31m', '\u001b[39m'],
};

/** A piece as it may be written: cleaned, and with its style where styles are wanted. */
export function paint(piece: Piece, styled: boolean): string {
  if (typeof piece === 'string') return sanitize(piece);
  const text = sanitize(piece.text);
  if (!styled || text === '') return text;
  const [on, off] = STYLES[piece.style];
  return `${on}${text}${off}`;
}
