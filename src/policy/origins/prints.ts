/** Letters and digits that one fingerprint covers: three or four words, hardly ever said by chance. */
export const PRINT_LETTERS = 16;
/**
 * Of this many fingerprints in a row the smallest is kept (winnowing), so that a stretch of
 * PRINT_LETTERS + PRINT_WINDOW - 1 letters always shares one with every text that holds it.
 */
export const PRINT_WINDOW = 10;

/**
 * The fingerprints of one text at a time, one for each place of a letter. There are two hashes of
 * each, so that one found by chance is as good as impossible. The buffers are used again.
 */
export class Prints {
  hashes: Uint32Array = new Uint32Array(4_096);
  checks: Uint32Array = new Uint32Array(4_096);
  /** Places of those that are kept; see `choose`. */
  chosen: Uint32Array = new Uint32Array(4_096);
  length = 0;

  /** All of them. */
  read(codes: Uint16Array, length: number): void {
    if (length > this.hashes.length) this.#grow(length);
    const { hashes, checks } = this;
    let first = 0;
    let second = 0;
    for (let index = 0; index < length; index += 1) {
      const code = codes[index] ?? 0;
      first = (Math.imul(first, BASE_1) + code) | 0;
      second = (Math.imul(second, BASE_2) + code) | 0;
      const place = index - PRINT_LETTERS + 1;
      if (place < 0) continue;
      hashes[place] = mix(first);
      checks[place] = second;
      const gone = codes[place] ?? 0;
      first = (first - Math.imul(gone, TOP_1)) | 0;
      second = (second - Math.imul(gone, TOP_2)) | 0;
    }
    this.length = Math.max(0, length - PRINT_LETTERS + 1);
  }

  /**
   * The places worth keeping, into `chosen`; answers how many. The same stretch of text chooses the
   * same places, whatever stands around it.
   */
  choose(): number {
    const { hashes, chosen, length } = this;
    let count = 0;
    if (length === 0) return 0;
    let best = -1;
    for (let end = Math.min(PRINT_WINDOW, length); end <= length; end += 1) {
      const start = Math.max(0, end - PRINT_WINDOW);
      if (best >= start) {
        if ((hashes[end - 1] ?? 0) > (hashes[best] ?? 0)) continue;
        best = end - 1;
      } else {
        best = start;
        for (let place = start + 1; place < end; place += 1) {
          if ((hashes[place] ?? 0) <= (hashes[best] ?? 0)) best = place;
        }
      }
      chosen[count] = best;
      count += 1;
    }
    return count;
  }

  #grow(length: number): void {
    const size = 2 ** Math.ceil(Math.log2(length));
    this.hashes = new Uint32Array(size);
    this.checks = new Uint32Array(size);
    this.chosen = new Uint32Array(size);
  }
}

const BASE_1 = 0x01_00_01_93;
const BASE_2 = 0x2c_1b_3c_6d;
const TOP_1 = power(BASE_1, PRINT_LETTERS - 1);
const TOP_2 = power(BASE_2, PRINT_LETTERS - 1);

function power(base: number, exponent: number): number {
  let answer = 1;
  for (let count = 0; count < exponent; count += 1) answer = Math.imul(answer, base);
  return answer;
}

/** Spreads a hash over all its bits, so that the smallest one is a fair choice. */
function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7f_eb_35_2d);
  const twice = Math.imul(once ^ (once >>> 15), 0x84_6c_a6_8b);
  return twice ^ (twice >>> 16);
}
