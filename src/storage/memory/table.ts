/**
 * Rows kept as JSON text, as the databases keep them: what was put in cannot be changed from
 * outside afterwards, and fields that JSON drops are dropped here too.
 */
export class MemoryTable<T> {
  readonly #rows = new Map<string, Map<string, string>>();

  list(owner: string): readonly T[] {
    return [...(this.#rows.get(owner)?.values() ?? [])].map((text) => this.#parse(text));
  }

  get(owner: string, ...key: readonly string[]): T | undefined {
    const text = this.#rows.get(owner)?.get(JSON.stringify(key));
    return text === undefined ? undefined : this.#parse(text);
  }

  put(row: T, owner: string, ...key: readonly string[]): void {
    const rows = this.#rows.get(owner) ?? new Map<string, string>();
    rows.set(JSON.stringify(key), JSON.stringify(row));
    this.#rows.set(owner, rows);
  }

  delete(owner: string, ...key: readonly string[]): boolean {
    return this.#rows.get(owner)?.delete(JSON.stringify(key)) ?? false;
  }

  #parse(text: string): T {
    return JSON.parse(text) as T; // put() is the only writer, and it wrote a T
  }
}
