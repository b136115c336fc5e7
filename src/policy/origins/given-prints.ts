/**
 * What went to servers through arguments, so that a server that only repeats it is not taken for
 * the one who told it. A mark is never lost; when there are very many, more and more that was not
 * given counts as given, which only makes a rule stricter.
 */
export class GivenPrints {
  readonly #marks = new Uint8Array(BYTES);
  readonly #receivers = new Set<number>();

  /** `receiver` tells servers apart: see `receiverOf`. */
  add(hash: number, check: number, receiver: number): void {
    this.#receivers.add(receiver);
    this.#mark(placeOf(hash, receiver));
    this.#mark(placeOf(check, receiver));
  }

  /** Whether anything was given to it at all. */
  knows(receiver: number): boolean {
    return this.#receivers.has(receiver);
  }

  has(hash: number, check: number, receiver: number): boolean {
    return this.#isMarked(placeOf(hash, receiver)) && this.#isMarked(placeOf(check, receiver));
  }

  #mark(place: number): void {
    this.#marks[place >>> 3] = (this.#marks[place >>> 3] ?? 0) | (1 << (place & 7));
  }

  #isMarked(place: number): boolean {
    return ((this.#marks[place >>> 3] ?? 0) & (1 << (place & 7))) !== 0;
  }
}

export function receiverOf(server: string): number {
  let seed = 0x81_1c_9d_c5;
  for (let index = 0; index < server.length; index += 1) {
    seed = Math.imul(seed ^ server.charCodeAt(index), 0x01_00_01_93);
  }
  return seed;
}

/** Half a megabyte for one principal: a million letters of arguments fill a tenth of it. */
const BYTES = 2 ** 19;

function placeOf(hash: number, receiver: number): number {
  const mixed = Math.imul(hash ^ receiver, 0x7f_eb_35_2d);
  return (mixed ^ (mixed >>> 15)) & (BYTES * 8 - 1);
}
