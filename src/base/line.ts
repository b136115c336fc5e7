/**
 * Like a Set in insertion order, for items of single calls. A growing Set replaces its tables, and an old
 * table still references its items: they get promoted to the old generation and need a major collection.
 */
export class Line<T> {
  #first: Link<T> | undefined;
  #last: Link<T> | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(item: T): LinePlace<T> {
    const link: Link<T> = { item, before: this.#last, after: undefined };
    if (this.#last) this.#last.after = link;
    else this.#first = link;
    this.#last = link;
    this.#size += 1;
    return link;
  }

  /** May be repeated. A deleted link references nothing. */
  delete(place: LinePlace<T>): void {
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

  /** A snapshot: items may leave while it is read. */
  [Symbol.iterator](): Iterator<T> {
    const items: T[] = [];
    for (let link = this.#first; link; link = link.after) if (link.item !== undefined) items.push(link.item);
    return items[Symbol.iterator]();
  }
}

export interface LinePlace<T> {
  readonly item: T | undefined;
}

interface Link<T> extends LinePlace<T> {
  item: T | undefined;
  before: Link<T> | undefined;
  after: Link<T> | undefined;
}
