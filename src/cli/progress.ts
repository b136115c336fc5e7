import type { Clock } from '../base/clock.ts';
import { cliLimits } from './limits.ts';
import { cutToWidth, textWidth } from './render/text.ts';
import { sanitizeLine } from './sanitize.ts';
import type { TerminalWriter } from './terminal.ts';

export interface Part {
  readonly done: number;
  readonly total: number;
}

export interface ProgressOptions {
  readonly stderr: TerminalWriter;
  readonly clock: Clock;
  readonly silent: boolean;
  /** A line can be drawn over; false on a dumb terminal, which is told in plain lines. */
  readonly redraws: boolean;
}

/** One redrawn line on a terminal, else rare plain lines. The cursor is never hidden. */
export class Progress {
  readonly #options: ProgressOptions;
  #text = '';
  #part: Part | undefined;
  #since = 0;
  #frame = 0;
  #shownWidth = 0;
  #saidAt: number | undefined;
  #paused = 0;
  #stop: (() => void) | undefined;

  constructor(options: ProgressOptions) {
    this.#options = options;
  }

  get active(): boolean {
    return this.#stop !== undefined;
  }

  say(text: string, part?: Part): void {
    const { clock, silent } = this.#options;
    if (silent) return;
    this.#text = sanitizeLine(text).replace(/[\s.…]+$/u, '');
    this.#part = part;
    if (this.#stop) return;
    this.#since = clock.monotonic();
    this.#stop = clock.every(cliLimits.progressFrameMs, () => this.#tick());
  }

  clear(): void {
    if (this.#shownWidth === 0) return;
    const { stderr } = this.#options;
    // A terminal that became narrower since has broken the line into several.
    const rows = Number.isFinite(stderr.width) ? Math.ceil(this.#shownWidth / stderr.width) : 1;
    stderr.write(`\r${CLEAR_LINE}${UP_AND_CLEAR.repeat(Math.max(0, rows - 1))}`);
    this.#shownWidth = 0;
  }

  end(): void {
    this.clear();
    this.#stop?.();
    this.#stop = undefined;
    this.#saidAt = undefined;
  }

  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    this.clear();
    this.#paused += 1;
    try {
      return await work();
    } finally {
      this.#paused -= 1;
    }
  }

  #tick(): void {
    if (this.#paused > 0) return;
    const { clock, redraws } = this.#options;
    const elapsedMs = clock.monotonic() - this.#since;
    if (redraws) {
      if (elapsedMs >= cliLimits.progressShownAfterMs) this.#draw(elapsedMs);
    } else this.#tell(elapsedMs);
  }

  #draw(elapsedMs: number): void {
    const { stderr } = this.#options;
    this.clear();
    const spinner = FRAMES[this.#frame % FRAMES.length] ?? '';
    this.#frame += 1;
    const line = `${spinner} ${this.#words(elapsedMs)}`;
    const shown = cutToWidth(line, Math.max(0, stderr.width - 1));
    stderr.write(shown);
    this.#shownWidth = textWidth(shown);
  }

  #tell(elapsedMs: number): void {
    const { stderr } = this.#options;
    const due =
      this.#saidAt === undefined
        ? cliLimits.progressPlainAfterMs
        : this.#saidAt + cliLimits.progressPlainEveryMs;
    if (elapsedMs < due) return;
    this.#saidAt = elapsedMs;
    stderr.write(`… ${this.#words(elapsedMs)}\n`);
  }

  #words(elapsedMs: number): string {
    const seconds = Math.floor(elapsedMs / 1_000);
    const time = seconds < 1 ? '' : ` (${seconds} s)`;
    return `${this.#part ? `${bar(this.#part)} ` : ''}${this.#text} …${time}`;
  }
}

const CLEAR_LINE = '\u001b[2K';
const UP_AND_CLEAR = `\u001b[1A${CLEAR_LINE}`;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const BAR_CELLS = 12;

/** `[████░░░░░░░░] 3/9` */
function bar({ done, total }: Part): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const full = Math.round(share * BAR_CELLS);
  return `[${'█'.repeat(full)}${'░'.repeat(BAR_CELLS - full)}] ${done}/${total}`;
}
