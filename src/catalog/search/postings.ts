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
export const SLOT_SHIFT = 11;
export const IN_NAME = 1 << 10;
export const FIRST_IN_NAME = 1 << 9;
export const IMPACT_MAX = FIRST_IN_NAME - 1;
