/**
 * What is under way, in the order in which it came. Like a Set, for what comes and goes with every
 * call: of the tables that a Set replaces as it grows, an old one still leads the collector to all
 * that stood in it, and to the table after it. Once one of them has grown old, whatever is under way
 * grows old with it, long after it has ended, and is only found by the dear kind of collection.
 */
export class Line<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Answers the place, by which the item leaves. */
  add(item: T): Place<T> {
    const link: Link<T> = { item, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = link;
    else this.#first = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  /** Leaving twice is leaving once. What has left leads nowhere. */
  delete(place: Place<T>): void {
    const link = place as Link<T>; // only `add` makes places
    if (link.item === undefined) return;
    const { before, after } = link;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    link.item = link.before = link.after = undefined;
    this.#size -= 1;
  }

  clear(): void {
    for (let link = this.#first; link; link = this.#first) this.delete(link);
  }

  /** All that are there now, whoever leaves meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    const items: T[] = [];
    for (let link = this.#first; link; link = link.after) if (link.item !== undefined) items.push(link.item);
    return items[Symbol.iterator]();
  }
}

/** Where something stands in a line. */
export interface Place<T> {
  readonly item: T | undefined;
}

interface Link<T> extends Place<T> {
  item: T | undefined;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
}
