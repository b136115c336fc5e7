export interface Source {
  readonly server: string;
  readonly tool: string;
}

interface KnownSource extends Source {
  count: number;
}

interface Line {
  oldest: number;
  youngest: number;
  count: number;
}

/** Hashes and sources, never text. When full, the largest server forgets its oldest. */
export class PrintMemory {
  readonly #max: number;
  /** FIELDS numbers per place, adjacent for one memory access. */
  readonly #places: Uint32Array;
  readonly #buckets: Uint32Array;
  readonly #mask: number;
  readonly #lines = new Map<string, Line>();
  readonly #sources: (KnownSource | undefined)[] = [];
  readonly #free: number[] = [];
  #used = 0;
  readonly #firsts = new Uint32Array(STRIDE);
  /** Servers with forgotten prints: whether they told something first is unknown. */
  readonly #forgot = new Set<string>();
  #forgotLast: string | undefined;
  /** Last used: prints of one server come in thousands. */
  #recent: { readonly server: string; readonly line: Line } | undefined;

  constructor(max: number) {
    this.#max = max;
    this.#places = new Uint32Array((max + 1) * FIELDS);
    this.#buckets = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(max, 16))));
    this.#mask = this.#buckets.length - 1;
  }

  knowsOthers(server: string): boolean {
    return this.#lines.size > (this.#lines.has(server) ? 1 : 0);
  }

  /** Whether everything others told is still known, so that it's certain who was first. */
  remembersOthers(server: string): boolean {
    return this.#forgot.size === 0 || (this.#forgot.size === 1 && this.#forgot.has(server));
  }

  sources(): readonly Source[] {
    return this.#sources.flatMap((source) => (source && source.count > 0 ? [source] : []));
  }

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

  /** In strides: touching dozens of entries first lets their memory latencies overlap. `own`: see `add`. */
  addAll(hashes: Uint32Array, checks: Uint32Array, own: Uint8Array, count: number, source: number): void {
    for (let from = 0; from < count; from += STRIDE) {
      const to = Math.min(from + STRIDE, count);
      this.#touch(hashes, from, to, source);
      for (let index = from; index < to; index += 1) {
        this.add(hashes[index] ?? 0, checks[index] ?? 0, source, own[index] === 1);
      }
    }
  }

  /** `own`: the server didn't get it from us. */
  add(hash: number, check: number, source: number, own: boolean): void {
    const owner = this.#sources[source];
    if (!owner) return;
    const known = this.#place(hash, check, source, owner.server);
    if (known > 0) {
      // Seen again counts as new.
      const line = this.#line(owner.server);
      this.#unchain(line, known);
      this.#chain(line, known);
      return;
    }
    const place = this.#room(owner.server);
    // Making room may have removed the last print of this source.
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

  /** Sources that told it; none if the receiver told it first and didn't get it from us. */
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

  /** Prefetches what adding will read: buckets of these prints and of the oldest. */
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

  /** 0 when nobody told it, -1 when only others did. */
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

  /** A new place, a freed one, or the oldest of the largest server. */
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

/** Links are places; 0 is none, so the first place stays empty. */
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
