import type { Clock } from '../../base/clock.ts';
import { faint, paint, type Piece } from '../output.ts';
import { cutToWidth, textWidth } from '../render/text.ts';
import type { Session } from '../session.ts';
import type { TerminalWriter } from '../terminal.ts';
import { callRows, runningRow, type CallEnd, type Row, type ShownCall } from './call-row.ts';
import { chatLimits } from './limits.ts';
import { WrappedText } from './wrapped-text.ts';

/** What one turn shows: the answer on stdout, rows on stderr. On a terminal running calls are redrawn. */
export class Screen implements Disposable {
  readonly #session: Pick<Session, 'out' | 'terminal'>;
  readonly #clock: Clock;
  readonly #verbose: boolean;
  readonly #answer: WrappedText;
  readonly #live: LiveRows | undefined;
  readonly #calls = new Map<string, ShownCall>();
  readonly #stopTicking: () => void;
  #status: string | undefined;
  #held = '';
  #pauses = 0;

  constructor(
    session: Pick<Session, 'out' | 'terminal' | 'clock' | 'env'>,
    { verbose }: { readonly verbose: boolean },
  ) {
    const { out, terminal, clock, env } = session;
    const { stdout, stderr, streams } = terminal;
    this.#session = session;
    this.#clock = clock;
    this.#verbose = verbose;
    const styled = out.color === 'forced' || (out.color && stdout.isTerminal);
    this.#answer = new WrappedText({
      write: (...pieces) => {
        if (!out.json) stdout.write(pieces.map((piece) => paint(piece, styled)).join(''));
      },
      newLine: () => {
        if (!out.json) stdout.write('\n');
      },
      width: () => stdout.width,
      markdown: stdout.isTerminal,
    });
    const redraws = stdout.isTerminal && stderr.isTerminal && env['TERM'] !== 'dumb' && !out.json;
    this.#live = redraws
      ? new LiveRows({ writer: stderr, styled, height: () => streams.stderr.rows || chatLimits.rowsUnknown })
      : undefined;
    this.#stopTicking = redraws ? clock.every(chatLimits.tickMs, () => this.#draw()) : () => undefined;
  }

  /** What the model says. While calls have their rows it waits, so that neither tears the other. */
  text(text: string): void {
    if (this.#calls.size > 0 || this.#pauses > 0) {
      this.#held += text;
      return;
    }
    if (this.#status !== undefined) this.status(undefined);
    this.#answer.add(text);
  }

  status(text: string | undefined): void {
    if (text === this.#status) return;
    this.#status = text;
    this.#draw();
  }

  callStart(call: ShownCall): void {
    this.#answer.endLine();
    this.#status = undefined;
    this.#calls.set(call.id, call);
    if (this.#live) this.#draw();
    else for (const row of callRows(call, this.#look())) this.#note(row);
  }

  callEnd(id: string, end: CallEnd): void {
    const call = this.#calls.get(id);
    if (!call) return;
    const ended = { ...call, end };
    this.#calls.set(id, ended);
    if (this.#live) {
      this.#draw();
      this.#settle();
      return;
    }
    const [first, ...rest] = callRows({ ...ended, args: {} }, this.#look());
    for (const row of first ? [first, ...rest] : []) this.#note(row);
    this.#calls.delete(id);
    this.#flushHeld();
  }

  line(...pieces: readonly Piece[]): void {
    this.#answer.endLine();
    this.#live?.erase();
    this.#note(pieces);
    this.#draw();
  }

  /** Nothing is drawn while a question stands there. */
  async aside<T>(work: () => Promise<T>): Promise<T> {
    this.#answer.endLine();
    this.#live?.erase();
    this.#pauses += 1;
    try {
      return await work();
    } finally {
      this.#pauses -= 1;
      this.#draw();
      this.#settle();
    }
  }

  /** The turn is over, and with it every call that has not ended. */
  end(): void {
    for (const [id, call] of this.#calls) {
      if (call.end) continue;
      const durationMs = this.#clock.monotonic() - call.startedMs;
      this.callEnd(id, { outcome: 'cancelled', durationMs, text: '' });
    }
    this.#status = undefined;
    this.#live?.erase();
    if (this.#live) for (const call of this.#calls.values()) this.#commit(call);
    this.#calls.clear();
    this.#flushHeld();
    this.#answer.endLine();
  }

  [Symbol.dispose](): void {
    this.#stopTicking();
    this.end();
  }

  /** Once every call has ended, the rows stay as they are. */
  #settle(): void {
    if (this.#pauses > 0 || [...this.#calls.values()].some((call) => !call.end)) return;
    this.#live?.erase();
    if (this.#live) for (const call of this.#calls.values()) this.#commit(call);
    this.#calls.clear();
    this.#flushHeld();
  }

  #commit(call: ShownCall): void {
    for (const row of callRows(call, this.#look())) this.#note(row);
  }

  #flushHeld(): void {
    if (this.#calls.size > 0 || this.#pauses > 0) return;
    const held = this.#held;
    this.#held = '';
    if (held !== '') this.#answer.add(held);
  }

  #draw(): void {
    if (!this.#live || this.#pauses > 0) return;
    const look = this.#look();
    const calls = [...this.#calls.values()];
    const status: readonly Row[] = this.#status === undefined ? [] : [[faint(this.#status)]];
    // Arguments of many calls at once would hide the calls.
    const rows =
      calls.length > MANY
        ? calls.flatMap((call) => firstRow(call, look))
        : calls.flatMap((call) => callRows(call, look));
    if (rows.length + status.length > 0 && this.#answer.column > 0) this.#answer.endLine();
    this.#live.draw([...rows, ...status]);
  }

  #note(row: Row): void {
    if (!this.#session.out.json) this.#session.out.note(...row);
  }

  #look(): { readonly now: number; readonly verbose: boolean } {
    return { now: this.#clock.monotonic(), verbose: this.#verbose };
  }
}

const MANY = 5;

function firstRow(
  call: ShownCall,
  look: { readonly now: number; readonly verbose: boolean },
): readonly Row[] {
  return call.end ? callRows(call, look).slice(0, 1) : [runningRow(call, look.now)];
}

interface LiveRowsOptions {
  readonly writer: TerminalWriter;
  readonly height: () => number;
  readonly styled: boolean;
}

/** Rows at the end of what is shown that are drawn over by the next ones. */
export class LiveRows {
  readonly #options: LiveRowsOptions;
  #drawn: readonly number[] = [];

  constructor(options: LiveRowsOptions) {
    this.#options = options;
  }

  draw(rows: readonly Row[]): void {
    const { writer, height, styled } = this.#options;
    const fitting = fit(rows, Math.max(2, height() - 2)).map((row) => cutRow(row, writer.width - 1));
    const text = fitting.map((row) => `${row.map((piece) => paint(piece, styled)).join('')}\n`).join('');
    writer.write(this.#back() + text);
    this.#drawn = fitting.map(rowWidth);
  }

  erase(): void {
    const back = this.#back();
    if (back !== '') this.#options.writer.write(back);
    this.#drawn = [];
  }

  /** A terminal that became narrower has wrapped the rows: they take more of its lines now. */
  #back(): string {
    const { width } = this.#options.writer;
    const lines = this.#drawn.reduce((sum, columns) => sum + Math.max(1, Math.ceil(columns / width)), 0);
    return lines === 0 ? '' : `\u001b[${lines}A\r\u001b[J`;
  }
}

/** What does not fit on the screen could not be drawn over: the last rows are left, with a word about the rest. */
function fit(rows: readonly Row[], linesMax: number): readonly Row[] {
  if (rows.length <= linesMax) return rows;
  const left = rows.slice(rows.length - linesMax + 1);
  return [[faint(`  … ${rows.length - left.length} rows above`)], ...left];
}

function cutRow(row: Row, width: number): Row {
  let left = width;
  return row.map((piece): Piece => {
    const text = cutToWidth(typeof piece === 'string' ? piece : piece.text, Math.max(0, left));
    const kept = left <= 0 ? '' : text;
    left -= textWidth(kept);
    return typeof piece === 'string' ? kept : { ...piece, text: kept };
  });
}

function rowWidth(row: Row): number {
  return row.reduce((sum, piece) => sum + textWidth(typeof piece === 'string' ? piece : piece.text), 0);
}
