import type { Clock } from '../../base/clock.ts';
import { faint, paint, type Piece } from '../output.ts';
import type { Session } from '../session.ts';
import { callRows, runningRow, type CallEnd, type Row, type ShownCall } from './call-row.ts';
import { chatLimits } from './limits.ts';
import { LiveRows } from './live-rows.ts';
import { WrappedText } from './wrapped-text.ts';

/**
 * What one turn shows. The answer goes to standard output, rows beside it to standard error. On a
 * terminal running calls have rows that are drawn over; elsewhere each has a line when it begins
 * and one when it ends.
 */
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

  /** What is going on while nothing else shows it. Only on a terminal. */
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

  /** A line that stays, above what is drawn over. */
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
