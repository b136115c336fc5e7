import type { Concept } from './concepts.ts';
import { FIRST_IN_NAME, IMPACT_MAX, IN_NAME, SLOT_SHIFT, type Postings } from './postings.ts';
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
