import { systemClock, type Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { Progress, type Part } from './progress.ts';
import { oneLine, safeJson, sanitize } from './sanitize.ts';
import type { Terminal, TerminalWriter } from './terminal.ts';
import { wrapLine } from './wrap-line.ts';

export type Style = 'strong' | 'faint' | 'good' | 'warn' | 'bad';

/** A part of a line: plain, or with a style. Neither can bring a line break or a control character. */
export type Piece =
  | string
  /** Whole: not broken at words where the line is longer than the terminal. */
  | { readonly style?: Style; readonly text: string; readonly whole?: true };

export const DONE: Piece = { style: 'good', text: '✔ ' };
export const WARNING: Piece = { style: 'warn', text: '⚠ ' };
export const FAILED: Piece = { style: 'bad', text: '✖ ' };

export function faint(text: string): Piece {
  return { style: 'faint', text };
}

export function strong(text: string): Piece {
  return { style: 'strong', text };
}

/** A command, or a line of someone else's text: it is copied as it is. */
export function whole(text: string, style?: Style): Piece {
  return { text, whole: true, ...defined({ style }) };
}

export function pieceText(piece: Piece): string {
  return typeof piece === 'string' ? piece : piece.text;
}

/** Where commands write. Invariant: every string is cleaned here, once, on its way out. */
export interface Output {
  readonly json: boolean;
  readonly color: boolean | 'forced';
  readonly width: number;
  /** The answer, on standard output. Silent when the answer is JSON. */
  line(...pieces: readonly Piece[]): void;
  /** A server's answer: as it is in a pipe; on a terminal, lines that could pass for ours get a bar. */
  body(text: string): void;
  /** A server's words among ours, in a pipe too: behind a lead, and further lines behind the bar. */
  quote(text: string, options?: QuoteOptions): void;
  /** A text of ours in several lines, such as a file: its own grammar keeps foreign words apart. */
  text(text: string, ...lead: readonly Piece[]): void;
  /** The answer as one JSON document; true when JSON was asked for, so that nothing else is printed. */
  document(value: unknown): boolean;
  record(value: unknown): void;
  /** Beside the answer, on standard error: problems and advice. */
  note(...pieces: readonly Piece[]): void;
  progress(text: string, part?: Part): void;
  /** The same while work lasts: one redrawn line on a terminal, rare plain lines elsewhere. */
  working<T>(text: string, work: (say: Say) => Promise<T>): Promise<T>;
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Takes away what shows progress. Nothing is left on the terminal, however a command ends. */
  end(): void;
}

export interface QuoteOptions {
  readonly lead?: readonly Piece[];
  readonly beside?: boolean;
}

export type Say = (text: string, part?: Part) => void;

export interface OutputOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** False turns styles off even on a terminal: NO_COLOR and --no-color. Forced: even in a pipe. */
  readonly color: boolean | 'forced';
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
  const printAll = (writer: TerminalWriter, lines: readonly (readonly Piece[])[]): void => {
    clearProgress();
    const styled = color === 'forced' || (color && writer.isTerminal);
    const shown = lines.map((pieces) => `${pieces.map((piece) => paint(piece, styled)).join('')}\n`);
    writer.write(shown.join(''));
  };
  const print = (writer: TerminalWriter, pieces: readonly Piece[]): void =>
    printAll(writer, writer.isTerminal ? wrapLine(pieces, writer.width) : [pieces]);
  return {
    json,
    color,
    get width() {
      return stdout.width;
    },
    line: (...pieces) => {
      if (!json) print(stdout, pieces);
    },
    body: (text) => {
      if (!json) printAll(stdout, stdout.isTerminal ? barred(linesOf(text)) : leading(linesOf(text)));
    },
    quote: (text, { lead, beside = false } = {}) => {
      if (beside || !json) printAll(beside ? stderr : stdout, barred(linesOf(text), lead));
    },
    text: (text, ...lead) => {
      if (!json) printAll(stdout, leading(linesOf(text), lead));
    },
    document: (value) => {
      clearProgress();
      if (json) stdout.write(`${safeJson(value, 2)}\n`);
      return json;
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

/** Before each line of a server's words: no line of ours begins so. */
const BAR: Piece = { style: 'faint', text: '│ ' };

/** The line end that many texts close with makes no line of its own. */
function linesOf(text: string): readonly string[] {
  return sanitize(text).replace(/\n$/u, '').split('\n');
}

function leading(lines: readonly string[], first: readonly Piece[] = [], further: readonly Piece[] = []) {
  return lines.map((line, index) => [...(index === 0 ? first : further), line]);
}

/** A single line that begins as a sentence or a value does needs no bar: it cannot be taken for ours. */
function barred(lines: readonly string[], lead?: readonly Piece[]): readonly (readonly Piece[])[] {
  const isPlain = lines.length === 1 && beginsPlainly(lines[0] ?? '');
  return leading(lines, lead ?? (isPlain ? [] : [BAR]), [BAR]);
}

/** Our own lines begin with a sign, a blank, or one of these words. */
function beginsPlainly(line: string): boolean {
  if (/^(?:next|owner|cause|fix|stderr|log|plan)\b/iu.test(line)) return false;
  // Properties of Unicode are read only for a line that needs them.
  return /^[a-z\d"'“(<[{]/i.test(line) || (line > '~' && /^[\p{L}\p{N}]/u.test(line));
}

const STYLES: Readonly<Record<Style, readonly [on: string, off: string]>> = {
  strong: ['\u001b[1m', '\u001b[22m'],
  faint: ['\u001b[2m', '\u001b[22m'],
  good: ['\u001b[32m', '\u001b[39m'],
  warn: ['\u001b[33m', '\u001b[39m'],
  bad: ['\u001b[31m', '\u001b[39m'],
};

export function paint(piece: Piece, styled: boolean): string {
  if (typeof piece === 'string') return oneLine(piece);
  const text = oneLine(piece.text);
  if (!styled || text === '' || piece.style === undefined) return text;
  const [on, off] = STYLES[piece.style];
  return `${on}${text}${off}`;
}
