/**
 * A Map for what comes and goes with every call. Its values stand in cells, which are emptied when
 * they go: the tables that a Map leaves behind then lead to nothing but empty cells (see `Line`).
 */
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

  /** All that are there now, whichever go meanwhile. */
  entries(): readonly (readonly [K, V])[] {
    const all: (readonly [K, V])[] = [];
    for (const [key, { value }] of this.#cells) if (value !== undefined) all.push([key, value]);
    return all;
  }
}

interface Cell<V> {
  value: V | undefined;
}
