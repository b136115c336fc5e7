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
  /** Columns that a line may take. */
  readonly width: number;
  /** The answer, on standard output. Silent when the answer is JSON. */
  line(...pieces: readonly Piece[]): void;
  /** The answer as one JSON document. Silent unless JSON was asked for. */
  document(value: unknown): void;
  /** One JSON record a line, for answers without an end. */
  record(value: unknown): void;
  /** Beside the answer, on standard error: problems and advice. */
  note(...pieces: readonly Piece[]): void;
  /** What is going on right now: one line that replaces itself, and only on a terminal. */
  progress(text: string): void;
}

export interface OutputOptions {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** False turns styles off even on a terminal: NO_COLOR and --no-color. */
  readonly color: boolean;
}

export function openOutput({ terminal, json, color }: OutputOptions): Output {
  const { stdout, stderr } = terminal;
  let showsProgress = false;
  const clearProgress = (): void => {
    if (showsProgress) stderr.write(CLEAR_LINE);
    showsProgress = false;
  };
  const print = (writer: TerminalWriter, pieces: readonly Piece[]): void => {
    clearProgress();
    const styled = color && writer.isTerminal;
    writer.write(`${pieces.map((piece) => paint(piece, styled)).join('')}\n`);
  };
  return {
    json,
    width: stdout.width,
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
    progress: (text) => {
      if (json || !stderr.isTerminal) return;
      clearProgress();
      stderr.write(
        sanitize(text)
          .replaceAll('\n', ' ')
          .slice(0, Math.max(0, stderr.width - 1)),
      );
      showsProgress = true;
    },
  };
}

const CLEAR_LINE = '\r\u001b[2K';

const STYLES: Readonly<Record<Style, readonly [on: string, off: string]>> = {
  strong: ['\u001b[1m', '\u001b[22m'],
  faint: ['\u001b[2m', '\u001b[22m'],
  good: ['\u001b[32m', '\u001b[39m'],
  warn: ['\u001b[33m', '\u001b[39m'],
  bad: ['\u001b[31m', '\u001b[39m'],
};

function paint(piece: Piece, styled: boolean): string {
  if (typeof piece === 'string') return sanitize(piece);
  const text = sanitize(piece.text);
  if (!styled || text === '') return text;
  const [on, off] = STYLES[piece.style];
  return `${on}${text}${off}`;
}
