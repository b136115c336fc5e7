import type { Concept } from './concepts.ts';
import { weights } from './weights.ts';

interface FoundTool {
  readonly concept: number;
  readonly weight: number;
  readonly unit: number;
  readonly credit: number;
}

/** Sums what each query term says about each tool. Reused; cleared after each query. */
export class Scoreboard {
  #scores = new Float32Array(0);
  #covered = new Float32Array(0);
  /** Share the name covers, and how well its first word matches. */
  #named = new Float32Array(0);
  #verb = new Float32Array(0);
  #namedConcept = new Int16Array(0);
  #best = new Float32Array(0);
  #concept = new Int16Array(0);
  #touched = new Int32Array(0);
  #count = 0;
  #total = 1;
  #words = 1;

  get touched(): Int32Array {
    return this.#touched.subarray(0, this.#count);
  }

  /** Scores by slot, 0 to 1. Call once, after everything is added. */
  settle(): Float32Array {
    const [scores, covered, named, verb] = [this.#scores, this.#covered, this.#named, this.#verb];
    const touched = this.#touched;
    const unit = 1 / this.#total;
    // No tool covers a long query: there, covering more of it mostly means a longer description.
    const coverage = weights.coverage * Math.min(1, weights.coverageWords / this.#words);
    for (let at = 0; at < this.#count; at += 1) {
      const slot = touched[at] ?? 0;
      const missing = 1 - (covered[slot] ?? 0) * unit;
      const unnamed = 1 - (named[slot] ?? 0) * unit;
      const nameFits = 1 - weights.name * unnamed - weights.verb * (1 - (verb[slot] ?? 0));
      scores[slot] = (scores[slot] ?? 0) * unit * (1 - coverage * missing) * nameFits;
    }
    return scores;
  }

  fill(concepts: readonly Concept[], postings: Postings, slots: number): void {
    this.#grow(slots);
    this.#words = concepts.length || 1;
    this.#total = concepts.reduce((sum, { idf }) => sum + idf, 0) || 1;
    for (const [index, concept] of concepts.entries()) {
      for (const { number, weight, idf } of concept.terms) {
        const start = postings.startOf(number);
        const list = postings.data.subarray(start, start + postings.lengthOf(number));
        const unit = (weight * Math.min(idf, concept.idf)) / IMPACT_MAX;
        this.#add(list, { concept: index + 1, unit, weight, credit: weight * concept.idf });
      }
    }
  }

  clear(): void {
    for (let at = 0; at < this.#count; at += 1) {
      const slot = this.#touched[at] ?? 0;
      this.#scores[slot] = 0;
      this.#covered[slot] = 0;
      this.#named[slot] = 0;
      this.#verb[slot] = 0;
      this.#namedConcept[slot] = 0;
      this.#concept[slot] = 0;
    }
    this.#count = 0;
  }

  /** Only the best term of a concept counts; the first is the strongest. */
  #add(list: Uint32Array, found: FoundTool): void {
    const { concept, unit, credit } = found;
    const [scores, covered, best, concepts] = [this.#scores, this.#covered, this.#best, this.#concept];
    // Indexed on purpose: runs a million times per query.
    for (let at = 0; at < list.length; at += 1) {
      const posting = list[at] ?? 0;
      const slot = posting >>> SLOT_SHIFT;
      const value = unit * (posting & IMPACT_MAX);
      const last = concepts[slot] ?? 0;
      if (last !== concept) {
        if (last === 0) this.#touched[this.#count++] = slot;
        concepts[slot] = concept;
        covered[slot] = (covered[slot] ?? 0) + credit;
        scores[slot] = (scores[slot] ?? 0) + value;
        best[slot] = value;
      } else if (value > (best[slot] ?? 0)) {
        scores[slot] = (scores[slot] ?? 0) + value - (best[slot] ?? 0);
        best[slot] = value;
      }
      if ((posting & IN_NAME) !== 0) this.#addName(slot, found, (posting & FIRST_IN_NAME) !== 0);
    }
  }

  #addName(slot: number, { concept, weight, credit }: FoundTool, isFirst: boolean): void {
    if (isFirst) this.#verb[slot] = Math.max(this.#verb[slot] ?? 0, weight);
    if (this.#namedConcept[slot] === concept) return;
    this.#namedConcept[slot] = concept;
    this.#named[slot] = (this.#named[slot] ?? 0) + credit;
  }

  #grow(slots: number): void {
    if (this.#scores.length >= slots) return;
    const room = Math.ceil(slots * 1.25);
    this.#scores = new Float32Array(room);
    this.#covered = new Float32Array(room);
    this.#named = new Float32Array(room);
    this.#verb = new Float32Array(room);
    this.#namedConcept = new Int16Array(room);
    this.#best = new Float32Array(room);
    this.#concept = new Int16Array(room);
    this.#touched = new Int32Array(room);
  }
}

/** Tools by term in one array of 32-bit postings. A full list moves to a block twice as large. */
export class Postings {
  #data = new Uint32Array(0);
  #used = 0;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #sizes: number[] = [];
  readonly #free: number[][] = [];

  /** Invalid after `add`. */
  get data(): Uint32Array {
    return this.#data;
  }

  startOf(term: number): number {
    return this.#starts[term] ?? 0;
  }

  lengthOf(term: number): number {
    return this.#lengths[term] ?? 0;
  }

  add(term: number, slot: number, says: number): void {
    const length = this.lengthOf(term);
    const size = this.#sizes[term] ?? 0;
    if (length === 0) this.#move(term, 0, 0);
    else if (length === 1 << size) this.#move(term, size + 1, length);
    this.#data[this.startOf(term) + length] = (slot << SLOT_SHIFT) | says;
    this.#lengths[term] = length + 1;
  }

  remove(term: number, gone: Uint8Array): void {
    const data = this.#data;
    const start = this.startOf(term);
    const end = start + this.lengthOf(term);
    let to = start;
    for (let from = start; from < end; from += 1) {
      const posting = data[from] ?? 0;
      data[to] = posting;
      to += 1 - (gone[posting >>> SLOT_SHIFT] ?? 0);
    }
    this.#lengths[term] = to - start;
    if (to === start) this.#release(term);
  }

  #move(term: number, size: number, length: number): void {
    const start = this.#free[size]?.pop() ?? this.#take(1 << size);
    const old = this.startOf(term);
    this.#data.copyWithin(start, old, old + length);
    if (length > 0) this.#release(term);
    this.#starts[term] = start;
    this.#sizes[term] = size;
  }

  #release(term: number): void {
    (this.#free[this.#sizes[term] ?? 0] ??= []).push(this.startOf(term));
  }

  #take(count: number): number {
    const start = this.#used;
    this.#used += count;
    if (this.#used > this.#data.length) {
      const larger = new Uint32Array(
        Math.max(this.#used, POSTINGS_MIN, Math.ceil(this.#data.length * GROWTH)),
      );
      larger.set(this.#data);
      this.#data = larger;
    }
    return start;
  }
}

/** Room comes with the first tool: most hubs of a team never search. */
const POSTINGS_MIN = 1 << 12;
const GROWTH = 1.3;
/** 21 bits slot, two marks, 9 bits impact. */
const SLOT_SHIFT = 11;
export const IN_NAME = 1 << 10;
export const FIRST_IN_NAME = 1 << 9;
export const IMPACT_MAX = FIRST_IN_NAME - 1;
