import { LiveRows, type Row } from '../live-rows.ts';
import { faint, paint, type Piece } from '../output.ts';
import type { Session } from '../session.ts';
import { callRows, type CallEnd, type CallLook, type ShownCall } from './call-row.ts';
import { chatLimits } from './limits.ts';
import { WrappedText } from './wrapped-text.ts';

/** What one turn shows: the answer on stdout, rows on stderr. On a terminal running calls are redrawn. */
export class Screen implements Disposable {
  readonly #session: Pick<Session, 'out' | 'clock'>;
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
    else this.#commit(call);
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
    this.#commit({ ...ended, args: {} });
    this.#calls.delete(id);
    this.#flushHeld();
  }

  line(...pieces: readonly Piece[]): void {
    this.#answer.endLine();
    this.#live?.erase();
    this.#note(pieces);
    this.#draw();
  }

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

  end(): void {
    for (const [id, call] of this.#calls) {
      if (call.end) continue;
      const durationMs = this.#session.clock.monotonic() - call.startedMs;
      this.callEnd(id, { outcome: 'cancelled', durationMs, text: '' });
    }
    this.#status = undefined;
    this.#commitAll();
    this.#answer.endLine();
  }

  [Symbol.dispose](): void {
    this.#stopTicking();
    this.end();
  }

  #settle(): void {
    if (this.#pauses > 0 || [...this.#calls.values()].some((call) => !call.end)) return;
    this.#commitAll();
  }

  #commitAll(): void {
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
    const shown = calls.length > MANY ? 1 : Infinity;
    const rows = calls.flatMap((call) => callRows(call, look).slice(0, shown));
    if (rows.length + status.length > 0 && this.#answer.column > 0) this.#answer.endLine();
    this.#live.draw([...rows, ...status]);
  }

  #note(row: Row): void {
    if (!this.#session.out.json) this.#session.out.note(...row);
  }

  #look(): CallLook {
    return { now: this.#session.clock.monotonic(), verbose: this.#verbose };
  }
}

const MANY = 5;
