import type { Risk } from '../risk.ts';
import type { ToolDocument } from './document.ts';
import { searchLimits } from './limits.ts';
import type { Scoreboard } from './scoreboard.ts';
import { weights } from './weights.ts';
import { splitName } from '../names.ts';

export interface SearchOptions {
  readonly server?: string | undefined;
  readonly risk?: Risk | undefined;
  readonly limit?: number | undefined;
  /** Asked before ranking, for a thousand tools or more. */
  readonly allowed?: ((document: ToolDocument) => boolean) | undefined;
  readonly usage?: ((id: string) => number) | undefined;
}

export interface Hit {
  readonly document: ToolDocument;
  /** 0 to 1 for words; exact names are above. */
  readonly score: number;
}

interface Candidates {
  readonly documents: readonly (ToolDocument | undefined)[];
  readonly exact: ExactMatches;
  readonly options: SearchOptions;
}

/** Invisible tools are gone before ranking. */
export function rank(scoreboard: Scoreboard, candidates: Candidates): readonly Hit[] {
  const { documents, options } = candidates;
  const best = new BestHits(Math.min(options.limit ?? searchLimits.hitsShown, searchLimits.hitsMax));
  const { full, bare } = candidates.exact;
  const bonus = new Map(bare.map((slot) => [slot, BARE_NAME]));
  for (const slot of full) bonus.set(slot, FULL_NAME);
  const scores = scoreboard.settle();
  const isVisible = (slot: number): boolean => maySee(candidates, slot);
  const slots = bestVisible(scores, scoreboard.touched, isVisible);
  // A name may consist of stop words or common words.
  const named = [...bonus.keys()].filter(isVisible);
  for (const slot of new Set([...slots, ...named])) {
    const document = documents[slot];
    if (!document) continue;
    const score = (scores[slot] ?? 0) + (bonus.get(slot) ?? 0);
    best.add({ document, score: score * usedMore(document, options) });
  }
  return best.hits;
}

function maySee({ documents, options: { server, risk, allowed } }: Candidates, slot: number): boolean {
  const document = documents[slot];
  if (!document || (server !== undefined && document.server !== server)) return false;
  if (risk !== undefined && document.risk !== risk) return false;
  return allowed === undefined || allowed(document);
}

function usedMore({ id }: ToolDocument, { usage }: SearchOptions): number {
  const calls = Math.max(0, usage?.(id) ?? 0);
  return 1 + weights.usage * Math.min(1, Math.log1p(calls) / Math.log1p(weights.usageCallsMax));
}

class BestHits {
  readonly #hits: Hit[] = [];
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get hits(): readonly Hit[] {
    return this.#hits;
  }

  add(hit: Hit): void {
    if (this.#hits.length === this.#limit && !isBefore(hit, this.#hits.at(-1))) return;
    let at = this.#hits.length;
    while (at > 0 && isBefore(hit, this.#hits[at - 1])) at -= 1;
    this.#hits.splice(at, 0, hit);
    if (this.#hits.length > this.#limit) this.#hits.pop();
  }
}

/** Best first, ties by id. */
export function byScore(one: Hit, other: Hit): number {
  return other.score - one.score || (one.document.id < other.document.id ? -1 : 1);
}

function isBefore(hit: Hit, other: Hit | undefined): boolean {
  if (!other || hit.score !== other.score) return hit.score > (other?.score ?? 0);
  return hit.document.id < other.document.id;
}

const BARE_NAME = 10;
const FULL_NAME = 20;

const STEPS = 1_024;

/** Whole buckets until there are enough: the result doesn't depend on order. */
function bestVisible(scores: Float32Array, slots: Int32Array, isVisible: (slot: number) => boolean) {
  const { sorted, ends } = sortBySteps(scores, slots);
  const visible: number[] = [];
  for (let step = STEPS - 1; step >= 0 && visible.length < searchLimits.rankedToolsMin; step -= 1) {
    const start = step === 0 ? 0 : (ends[step - 1] ?? 0);
    for (const slot of sorted.subarray(start, ends[step])) if (isVisible(slot)) visible.push(slot);
  }
  return visible;
}

/** Counting sort; `ends`: end of each bucket. */
function sortBySteps(scores: Float32Array, slots: Int32Array) {
  const ends = new Int32Array(STEPS);
  // Indexed on purpose: runs for a hundred thousand tools.
  for (let at = 0; at < slots.length; at += 1) {
    const step = stepOf(scores[slots[at] ?? 0] ?? 0);
    ends[step] = (ends[step] ?? 0) + 1;
  }
  for (let step = 1; step < STEPS; step += 1) ends[step] = (ends[step] ?? 0) + (ends[step - 1] ?? 0);
  const next = ends.slice();
  const sorted = new Int32Array(slots.length);
  for (let at = 0; at < slots.length; at += 1) {
    const slot = slots[at] ?? 0;
    const step = stepOf(scores[slot] ?? 0);
    const to = (next[step] ?? 0) - 1;
    next[step] = to;
    sorted[to] = slot;
  }
  return { sorted, ends };
}

/** Most scores are low: the root gives them more buckets. */
function stepOf(score: number): number {
  return Math.min(STEPS - 1, Math.floor(Math.sqrt(score) * STEPS));
}

export class ExactNames {
  readonly #slots = new Map<string, number | number[]>();

  add(name: string, slot: number): void {
    const key = name.toLowerCase();
    const known = this.#slots.get(key);
    if (known === undefined) this.#slots.set(key, slot);
    else if (typeof known === 'number') this.#slots.set(key, [known, slot]);
    else known.push(slot);
  }

  remove(name: string, slot: number): void {
    const key = name.toLowerCase();
    const rest = this.#of(key).filter((other) => other !== slot);
    const [first] = rest;
    if (first === undefined) this.#slots.delete(key);
    else this.#slots.set(key, rest.length === 1 ? first : rest);
  }

  find(query: string, documentAt: (slot: number) => ToolDocument | undefined): ExactMatches {
    const wanted = query.trim().toLowerCase();
    if (wanted === '' || wanted.length > searchLimits.nameCharsMax) return { full: [], bare: [] };
    const split = splitName(wanted);
    const pairs = [...partings(wanted), ...(split ? [[split.server, split.tool] as const] : [])];
    const full = pairs.flatMap(([server, tool]) =>
      this.#of(tool).filter((slot) => documentAt(slot)?.server.toLowerCase() === server),
    );
    return { full, bare: this.#of(wanted) };
  }

  #of(key: string): readonly number[] {
    const known = this.#slots.get(key);
    return known === undefined ? [] : typeof known === 'number' ? [known] : known;
  }
}

interface ExactMatches {
  readonly full: readonly number[];
  readonly bare: readonly number[];
}

function partings(text: string): readonly (readonly [server: string, tool: string])[] {
  return [...text.matchAll(SEPARATOR)]
    .slice(0, searchLimits.namePartingsMax)
    .map(({ 0: separator, index }) => [text.slice(0, index), text.slice(index + separator.length)] as const);
}

const SEPARATOR = /\/|__|[.:]/g;
