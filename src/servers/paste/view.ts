import { positionsIn } from '../clients/documents/document.ts';
import { systemClock } from '../../base/clock.ts';
import { limits } from '../../base/limits.ts';
import type { TextEdit } from './repair.ts';
import type { FeaturedLookup, PasteChange, PastedServer, PasteProblem } from './paste.ts';

export type Draft = Omit<PastedServer, 'needs' | 'declined' | 'line'>;

/** Beside a config, links and URLs are only prose. */
export type Rank = 'config' | 'command' | 'prose' | 'link' | 'address' | 'words';

export interface Finding {
  readonly draft: Draft;
  readonly at: number;
  readonly rank: Rank;
  /** Findings of one document are never merged with each other. */
  readonly document: number;
}

export interface Range {
  readonly from: number;
  readonly to: number;
}

export interface Reading {
  readonly found: readonly Finding[];
  /** Hidden from later readers. */
  readonly claims: readonly Range[];
  readonly problems?: readonly PasteProblem[];
  readonly changes?: readonly PasteChange[];
  /** What has to change in the text for it to be sound. */
  readonly edits?: readonly TextEdit[];
  readonly name?: string;
  readonly format?: string;
  readonly notMcp?: string;
}

export interface Reader {
  readonly name: string;
  read(view: View): Reading;
}

export const NOTHING: Reading = { found: [], claims: [] };

export interface Block extends Range {
  readonly kind: 'code' | 'text';
  readonly lang: string;
}

/** Claimed text is blank, so offsets never move. */
export interface View {
  readonly text: string;
  readonly blocks: readonly Block[];
  lineAt(offset: number): number;
  readonly budget: Budget;
  readonly featured: FeaturedLookup | undefined;
}

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

/** Line numbers in a text. */
export function lineAtIn(text: string): (offset: number) => number {
  const positionOf = positionsIn(text);
  return (offset) => positionOf(offset).line;
}

/** Thrown by a reader out of time; caught in parsePaste. */
export class OutOfTime extends Error {}

const STEP_COST = 4_096;

/** Reading the clock at every character would cost more than parsing. */
export class Budget {
  readonly #started = systemClock.monotonic();
  #over = false;
  #cost = 0;

  step(cost = 1): void {
    this.#cost += cost + 8;
    if (this.#cost < STEP_COST) return;
    this.#cost = 0;
    if (this.#late(1.25)) throw new OutOfTime();
  }

  /** Checked between findings: a reader that stops here keeps its results. */
  get isOver(): boolean {
    this.#over ||= this.#late(1);
    return this.#over;
  }

  get wasOver(): boolean {
    return this.#over;
  }

  #late(times: number): boolean {
    return systemClock.monotonic() - this.#started > limits.pasteBudgetMs * times;
  }
}
