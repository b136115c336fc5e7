export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  readonly #letters: number[] = [];
  readonly #servers: number[] = [];
  readonly #free: number[] = [];
  #forgotten = 0;

  get size(): number {
    return this.#numbers.size;
  }

  /** Counts up when numbers end, which then may be given again. */
  get forgotten(): number {
    return this.#forgotten;
  }

  find(term: string): number | undefined {
    return this.#numbers.get(term);
  }

  numberOf(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#free.pop() ?? this.#terms.length;
    this.#numbers.set(term, number);
    this.#terms[number] = term;
    this.#letters[number] = lettersOf(term);
    this.#servers[number] = 0;
    return number;
  }

  serversWith(number: number): number {
    return this.#servers[number] ?? 0;
  }

  addServer(terms: Iterable<number>): void {
    for (const number of terms) this.#servers[number] = this.serversWith(number) + 1;
  }

  removeServer(terms: Iterable<number>): void {
    for (const number of terms) {
      const left = this.serversWith(number) - 1;
      this.#servers[number] = left;
      if (left === 0) this.#forget(number);
    }
  }

  near(term: string, edits: number): readonly string[] {
    const letters = lettersOf(term);
    const first = term.charCodeAt(0);
    return this.#terms.filter((other, number): other is string => {
      // An edit changes at most two letters: rules out most terms.
      if (bitsOf((this.#letters[number] ?? 0) ^ letters) > 2 * edits) return false;
      if (other === undefined || other.charCodeAt(0) !== first) return false;
      return Math.abs(other.length - term.length) <= edits;
    });
  }

  beginning(prefix: string): readonly string[] {
    const letters = lettersOf(prefix);
    return this.#terms.filter((other, number): other is string => {
      if ((letters & ~(this.#letters[number] ?? 0)) !== 0) return false;
      return other?.startsWith(prefix) ?? false;
    });
  }

  #forget(number: number): void {
    const term = this.#terms[number];
    if (term === undefined) return;
    this.#forgotten += 1;
    this.#numbers.delete(term);
    this.#terms[number] = undefined;
    this.#free.push(number);
  }
}

/** A bit for each of a to z; other characters share the rest. */
function lettersOf(term: string): number {
  let bits = 0;
  for (let at = 0; at < term.length; at += 1) {
    const letter = term.charCodeAt(at) - 97;
    bits |= 1 << (letter >= 0 && letter < 26 ? letter : 26 + (term.charCodeAt(at) % 6));
  }
  return bits;
}

function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
