/** A Map for single calls. Deleting empties a cell, so stale tables keep nothing alive (see `Line`). */
export class BriefMap<K, V> {
  readonly #cells = new Map<K, Cell<V>>();

  get size(): number {
    return this.#cells.size;
  }

  get(key: K): V | undefined {
    return this.#cells.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#cells.has(key);
  }

  set(key: K, value: V): void {
    const cell = this.#cells.get(key);
    if (cell) cell.value = value;
    else this.#cells.set(key, { value });
  }

  delete(key: K): void {
    const cell = this.#cells.get(key);
    if (!cell) return;
    cell.value = undefined;
    this.#cells.delete(key);
  }

  /** A snapshot: entries may go while it is read. */
  entries(): readonly (readonly [K, V])[] {
    const all: (readonly [K, V])[] = [];
    for (const [key, { value }] of this.#cells) if (value !== undefined) all.push([key, value]);
    return all;
  }
}

interface Cell<V> {
  value: V | undefined;
}
