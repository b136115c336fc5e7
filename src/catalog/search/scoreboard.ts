import type { Concept } from './concepts.ts';
import { weights } from './weights.ts';

/** One term that stands for a concept of the query. */
interface FoundTool {
  readonly concept: number;
  /** 1 for the word itself. */
  readonly weight: number;
  /** What the term adds to the score, for each step of its impact. */
  readonly unit: number;
  /** What it adds to the part of the query that is covered. */
  readonly credit: number;
}

/** Adds up what the terms of one query say about each tool. Kept between queries; cleared after each. */
export class Scoreboard {
  #scores = new Float32Array(0);
  /** How much of the query each tool covers. */
  #covered = new Float32Array(0);
  /** How much of it the tool's name covers, and how well the name's first word is met. */
  #named = new Float32Array(0);
  #verb = new Float32Array(0);
  /** The last concept that the name met. */
  #namedConcept = new Int16Array(0);
  /** The best that was found for the concept in hand, and which concept that was. */
  #best = new Float32Array(0);
  #concept = new Int16Array(0);
  #touched = new Int32Array(0);
  #count = 0;
  #total = 1;

  /** Slots of the tools that have any word of the query. */
  get touched(): Int32Array {
    return this.#touched.subarray(0, this.#count);
  }

  /**
   * The scores by slot, between 0 and 1: 1 would be a tool that speaks of nothing else. To be asked
   * for once, when everything is added.
   */
  settle(): Float32Array {
    const [scores, covered, named, verb] = [this.#scores, this.#covered, this.#named, this.#verb];
    const touched = this.#touched;
    const unit = 1 / this.#total;
    for (let at = 0; at < this.#count; at += 1) {
      const slot = touched[at] ?? 0;
      const missing = 1 - (covered[slot] ?? 0) * unit;
      const unnamed = 1 - (named[slot] ?? 0) * unit;
      const nameFits = 1 - weights.name * unnamed - weights.verb * (1 - (verb[slot] ?? 0));
      scores[slot] = (scores[slot] ?? 0) * unit * (1 - weights.coverage * missing) * nameFits;
    }
    return scores;
  }

  fill(concepts: readonly Concept[], postings: Postings, slots: number): void {
    this.#grow(slots);
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

  /** Of the terms of one concept only the best counts; the first one found is the strongest. */
  #add(list: Uint32Array, found: FoundTool): void {
    const { concept, unit, credit } = found;
    const [scores, covered, best, concepts] = [this.#scores, this.#covered, this.#best, this.#concept];
    // Indexed on purpose: this loop runs a million times a query.
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

/**
 * For each term the tools that have it, in one block of one typed array. A posting is a number of
 * 32 bits: the tool's slot, whether the term stands in the tool's name, and how much it says about the
 * tool. A list that outgrows its block moves to one twice as large; blocks are used again.
 */
export class Postings {
  #data = new Uint32Array(1 << 12);
  #used = 0;
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  /** The size of each list's block, as an exponent of two. */
  readonly #sizes: number[] = [];
  /** Starts of the blocks that nobody uses, by exponent. */
  readonly #free: number[][] = [];

  /** To be asked for anew after an `add`, which may have moved everything. */
  get data(): Uint32Array {
    return this.#data;
  }

  startOf(term: number): number {
    return this.#starts[term] ?? 0;
  }

  /** In how many tools it occurs. */
  lengthOf(term: number): number {
    return this.#lengths[term] ?? 0;
  }

  /** `says` is an impact, with the marks for a term of the name. */
  add(term: number, slot: number, says: number): void {
    const length = this.lengthOf(term);
    const size = this.#sizes[term] ?? 0;
    if (length === 0) this.#move(term, 0, 0);
    else if (length === 1 << size) this.#move(term, size + 1, length);
    this.#data[this.startOf(term) + length] = (slot << SLOT_SHIFT) | says;
    this.#lengths[term] = length + 1;
  }

  /** Takes the marked slots out of one list. */
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
      const larger = new Uint32Array(Math.max(this.#used, Math.ceil(this.#data.length * GROWTH)));
      larger.set(this.#data);
      this.#data = larger;
    }
    return start;
  }
}

const GROWTH = 1.3;
/** 21 bits for the slot, two marks, 9 bits for the impact. */
const SLOT_SHIFT = 11;
export const IN_NAME = 1 << 10;
export const FIRST_IN_NAME = 1 << 9;
export const IMPACT_MAX = FIRST_IN_NAME - 1;
