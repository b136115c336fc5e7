import { systemClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { FeaturedLookup, PasteChange, PastedServer, PasteProblem } from './paste.ts';

/** A server as a reader found it; what is needed is worked out later, for all alike. */
export type Draft = Omit<PastedServer, 'needs' | 'declined' | 'line'> & {
  /** Names that the paste itself lists as to be filled in. */
  readonly asked?: readonly string[];
};

/** How much a finding weighs: where a config is given, links and addresses beside it are only prose. */
export type Rank = 'config' | 'command' | 'prose' | 'link' | 'address' | 'words';

export interface Found {
  readonly draft: Draft;
  readonly at: number;
  readonly rank: Rank;
  /** Findings of one document are never merged with each other, whatever they hold. */
  readonly document: number;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Reading {
  readonly found: readonly Found[];
  /** Text that was understood: later readers do not see it. */
  readonly claims: readonly Range[];
  readonly problems?: readonly PasteProblem[];
  readonly changes?: readonly PasteChange[];
  /** Corrected text of what was damaged. */
  readonly corrected?: readonly string[];
  /** A name that the text gives to a server which has none. */
  readonly name?: string;
  /** The dialect in words. */
  readonly format?: string;
  /** Set when the text is recognised as something that is not MCP. */
  readonly notMcp?: string;
}

export interface Reader {
  readonly name: string;
  read(view: View): Reading;
}

export const NOTHING: Reading = { found: [], claims: [] };

/** A fenced block, or the text around the fences. */
export interface Block extends Range {
  readonly kind: 'code' | 'text';
  readonly lang: string;
}

/** The text as one reader sees it: what others claimed is blank, so offsets never move. */
export interface View {
  readonly text: string;
  readonly blocks: readonly Block[];
  readonly lines: Lines;
  readonly budget: Budget;
  readonly featured: FeaturedLookup | undefined;
}

/** Blanks ranges but keeps line ends, in one pass. */
export function blank(text: string, ranges: readonly Range[]): string {
  const sorted = ranges.filter(({ from, to }) => to > from).toSorted((a, b) => a.from - b.from);
  let out = '';
  let at = 0;
  for (const { from, to } of sorted) {
    if (to <= at) continue;
    out += text.slice(at, Math.max(at, from));
    out += text.slice(Math.max(at, from), to).replaceAll(/[^\n]/g, ' ');
    at = to;
  }
  return out + text.slice(at);
}

/** Offsets to line numbers. */
export class Lines {
  readonly starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.starts = starts;
  }

  at(offset: number): number {
    let low = 0;
    let high = this.starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** Thrown by a reader that has no time left; caught once, in parsePaste. */
export class OutOfTime extends Error {}

const STEP_COST = 4_096;

/** The time that one paste may take. Asking the clock at every character would cost more than reading. */
export class Budget {
  readonly #started = systemClock.monotonic();
  #over = false;
  #cost = 0;

  /** `cost` is about as many characters as were read since the last step. */
  step(cost = 1): void {
    this.#cost += cost + 8;
    if (this.#cost < STEP_COST) return;
    this.#cost = 0;
    if (this.#late(1.25)) throw new OutOfTime();
  }

  /** Asked between two findings: whoever stops here keeps what was found. */
  get isOver(): boolean {
    this.#over ||= this.#late(1);
    return this.#over;
  }

  /** Whether somebody stopped early. */
  get wasOver(): boolean {
    return this.#over;
  }

  #late(times: number): boolean {
    return systemClock.monotonic() - this.#started > limits.pasteBudgetMs * times;
  }
}
