/** One tool of one server, as far as its results are remembered. */
export interface Source {
  readonly server: string;
  readonly tool: string;
}

interface KnownSource extends Source {
  /** Fingerprints that are kept of it. */
  count: number;
}

/** The fingerprints of one server, oldest first. */
interface Line {
  oldest: number;
  youngest: number;
  count: number;
}

/**
 * What is kept of one principal's results: hashes and whose they are, never a text. When it is
 * full, whoever holds most forgets the oldest: a busy server cannot drive out what others said.
 */
export class PrintMemory {
  readonly #max: number;
  /** FIELDS numbers for each place, side by side, so that a place is one look into memory. */
  readonly #places: Uint32Array;
  /** The first place of each bucket. */
  readonly #buckets: Uint32Array;
  readonly #mask: number;
  readonly #lines = new Map<string, Line>();
  readonly #sources: (KnownSource | undefined)[] = [];
  readonly #free: number[] = [];
  #used = 0;
  readonly #firsts = new Uint32Array(STRIDE);
  /** Servers of whom something was forgotten: whether they told a thing first is not known any more. */
  readonly #forgot = new Set<string>();
  #forgotLast: string | undefined;
  /** The line that was used last: prints come in thousands of one server. */
  #recent: { readonly server: string; readonly line: Line } | undefined;

  constructor(max: number) {
    this.#max = max;
    this.#places = new Uint32Array((max + 1) * FIELDS);
    this.#buckets = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(max, 16))));
    this.#mask = this.#buckets.length - 1;
  }

  /** Whether anything of another server is kept. */
  knowsOthers(server: string): boolean {
    return this.#lines.size > (this.#lines.has(server) ? 1 : 0);
  }

  /** Whether all that other servers told is still known, so that it can be said who was first. */
  remembersOthers(server: string): boolean {
    return this.#forgot.size === 0 || (this.#forgot.size === 1 && this.#forgot.has(server));
  }

  /** All that are remembered. */
  sources(): readonly Source[] {
    return this.#sources.flatMap((source) => (source && source.count > 0 ? [source] : []));
  }

  /** The number under which prints of this tool are added. */
  source(server: string, tool: string): number {
    let free = this.#sources.length;
    for (const [index, known] of this.#sources.entries()) {
      if (known?.server === server && known.tool === tool) return index;
      if (known === undefined || known.count === 0) free = index;
    }
    this.#sources[free] = { server, tool, count: 0 };
    return free;
  }

  sourceAt(index: number): Source | undefined {
    return this.#sources[index];
  }

  /**
   * Many at once. The table is far larger than what a processor holds at hand, so that a print costs
   * little but waiting for memory: a look at a few dozen at a time lets these waits overlap.
   * `own`: see `add`.
   */
  addAll(hashes: Uint32Array, checks: Uint32Array, own: Uint8Array, count: number, source: number): void {
    for (let from = 0; from < count; from += STRIDE) {
      const to = Math.min(from + STRIDE, count);
      this.#touch(hashes, from, to, source);
      for (let index = from; index < to; index += 1) {
        this.add(hashes[index] ?? 0, checks[index] ?? 0, source, own[index] === 1);
      }
    }
  }

  /** `own`: the server did not get it from us. If no other has told it before, it is no news to it. */
  add(hash: number, check: number, source: number, own: boolean): void {
    const owner = this.#sources[source];
    if (!owner) return;
    const known = this.#place(hash, check, source, owner.server);
    if (known > 0) {
      // Seen again is as good as new.
      const line = this.#line(owner.server);
      this.#unchain(line, known);
      this.#chain(line, known);
      return;
    }
    const place = this.#room(owner.server);
    // Making room may have taken the last print of this very source.
    this.#sources[source] = owner;
    this.#places[place + HASH] = hash;
    this.#places[place + CHECK] = check;
    this.#places[place + OWNER] = source;
    this.#places[place + OWN] = own && known === 0 ? 1 : 0;
    const bucket = hash & this.#mask;
    this.#places[place + NEXT] = this.#buckets[bucket] ?? 0;
    this.#buckets[bucket] = place;
    owner.count += 1;
    this.#chain(this.#line(owner.server), place);
  }

  /**
   * The sources that told it; none, if the server that would get it told it before all others, and
   * not because we had sent it there. What it only repeats makes it no owner.
   */
  others(hash: number, check: number, server: string): readonly number[] {
    let place = this.#buckets[hash & this.#mask] ?? 0;
    let sources: number[] | undefined;
    for (; place !== 0; place = this.#places[place + NEXT] ?? 0) {
      if (this.#places[place + HASH] !== hash || this.#places[place + CHECK] !== check) continue;
      const source = this.#places[place + OWNER] ?? 0;
      if (this.#sources[source]?.server !== server) (sources ??= []).push(source);
      else if (this.#places[place + OWN] === 1) return NONE;
    }
    return sources ?? NONE;
  }

  forget(server: string): void {
    const line = this.#line(server);
    while (line.count > 0) this.#free.push(this.#drop(server, line));
    this.#end(server);
  }

  /** Reads what adding these will read: their buckets, and those of the oldest, which may have to go. */
  #touch(hashes: Uint32Array, from: number, to: number, source: number): void {
    const places = this.#places;
    const buckets = this.#buckets;
    const mask = this.#mask;
    const firsts = this.#firsts;
    for (let index = from; index < to; index += 1) {
      firsts[index - from] = buckets[(hashes[index] ?? 0) & mask] ?? 0;
    }
    let sum = 0;
    for (let index = 0; index < to - from; index += 1) sum += places[(firsts[index] ?? 0) + HASH] ?? 0;
    const owner = this.#sources[source];
    if (owner && this.#used === this.#max) {
      let place = this.#line(owner.server).oldest;
      for (let index = from; index < to; index += 1) {
        firsts[index - from] = buckets[(places[place + HASH] ?? 0) & mask] ?? 0;
        place = places[place + LATER] ?? 0;
      }
      for (let index = 0; index < to - from; index += 1) sum += places[(firsts[index] ?? 0) + HASH] ?? 0;
    }
    firsts[0] = sum; // a result that nobody uses would not be read at all
  }

  #end(server: string): void {
    this.#lines.delete(server);
    this.#recent = undefined;
  }

  /** Where it is kept; 0 when nobody told it, and -1 when only others did. */
  #place(hash: number, check: number, source: number, server: string): number {
    let otherwise = 0;
    for (
      let place = this.#buckets[hash & this.#mask] ?? 0;
      place !== 0;
      place = this.#places[place + NEXT] ?? 0
    ) {
      if (this.#places[place + HASH] !== hash || this.#places[place + CHECK] !== check) continue;
      const teller = this.#places[place + OWNER] ?? 0;
      if (teller === source) return place;
      if (this.#sources[teller]?.server !== server) otherwise = -1;
    }
    return otherwise;
  }

  #line(server: string): Line {
    if (this.#recent?.server === server) return this.#recent.line;
    const line = this.#lines.get(server) ?? { oldest: 0, youngest: 0, count: 0 };
    this.#lines.set(server, line);
    this.#recent = { server, line };
    return line;
  }

  /** A free place: a new one, one that was given back, or the oldest of whoever has most. */
  #room(server: string): number {
    const back = this.#free.pop();
    if (back !== undefined) return back;
    if (this.#used < this.#max) {
      this.#used += 1;
      return this.#used * FIELDS;
    }
    const own = this.#line(server);
    if (own.count > this.#max / this.#lines.size) return this.#drop(server, own);
    let most = { server, line: own };
    for (const [each, line] of this.#lines) if (line.count > most.line.count) most = { server: each, line };
    return this.#drop(most.server, most.line);
  }

  #drop(server: string, line: Line): number {
    const place = line.oldest;
    if (this.#forgotLast !== server) {
      this.#forgotLast = server;
      this.#forgot.add(server);
    }
    this.#unchain(line, place);
    this.#unlink(place);
    if (line.count === 0) this.#end(server);
    const index = this.#places[place + OWNER] ?? 0;
    const owner = this.#sources[index];
    if (owner) owner.count -= 1;
    if (owner?.count === 0) this.#sources[index] = undefined;
    return place;
  }

  #unlink(place: number): void {
    const bucket = (this.#places[place + HASH] ?? 0) & this.#mask;
    const next = this.#places[place + NEXT] ?? 0;
    let at = this.#buckets[bucket] ?? 0;
    if (at === place) {
      this.#buckets[bucket] = next;
      return;
    }
    while (at !== 0 && this.#places[at + NEXT] !== place) at = this.#places[at + NEXT] ?? 0;
    this.#places[at + NEXT] = next;
  }

  #chain(line: Line, place: number): void {
    this.#places[place + LATER] = 0;
    this.#places[place + EARLIER] = line.youngest;
    if (line.youngest === 0) line.oldest = place;
    else this.#places[line.youngest + LATER] = place;
    line.youngest = place;
    line.count += 1;
  }

  #unchain(line: Line, place: number): void {
    const later = this.#places[place + LATER] ?? 0;
    const earlier = this.#places[place + EARLIER] ?? 0;
    if (later === 0) line.youngest = earlier;
    else this.#places[later + EARLIER] = earlier;
    if (earlier === 0) line.oldest = later;
    else this.#places[earlier + LATER] = later;
    line.count -= 1;
  }
}

/** What stands at a place. Links name other places; 0 is none, so the first place stays empty. */
const FIELDS = 8;
const STRIDE = 64;
const HASH = 0;
const CHECK = 1;
const OWNER = 2;
const NEXT = 3;
const LATER = 4;
const EARLIER = 5;
const OWN = 6;

const NONE: readonly number[] = [];
