/** Every term that a tool has, by number. Numbers of terms that are gone are used again. */
export class Vocabulary {
  readonly #numbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  /** Which letters a term has, one bit each. */
  readonly #letters: number[] = [];
  /** How many servers have a term. */
  readonly #servers: number[] = [];
  readonly #free: number[] = [];

  get size(): number {
    return this.#numbers.size;
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

  /** In how many servers it occurs: the live frequency, by which a term is rare or common. */
  serversWith(number: number): number {
    return this.#servers[number] ?? 0;
  }

  addServer(terms: Iterable<number>): void {
    for (const number of terms) this.#servers[number] = this.serversWith(number) + 1;
  }

  /** A term that the last server leaves is forgotten. */
  removeServer(terms: Iterable<number>): void {
    for (const number of terms) {
      const left = this.serversWith(number) - 1;
      this.#servers[number] = left;
      if (left === 0) this.#forget(number);
    }
  }

  /** Terms that begin with the same letter and could come out of this one by so many edits. */
  near(term: string, edits: number): readonly string[] {
    const letters = lettersOf(term);
    const first = term.charCodeAt(0);
    return this.#terms.filter((other, number): other is string => {
      // An edit changes at most two letters, so most terms end here.
      if (bitsOf((this.#letters[number] ?? 0) ^ letters) > 2 * edits) return false;
      if (other === undefined || other.charCodeAt(0) !== first) return false;
      return Math.abs(other.length - term.length) <= edits;
    });
  }

  /** Longer terms that begin like this. */
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
    this.#numbers.delete(term);
    this.#terms[number] = undefined;
    this.#free.push(number);
  }
}

/** Letters a to z have a bit each; everything else shares the rest. */
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
