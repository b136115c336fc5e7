import { Analyzer } from './analyze.ts';
import { byPairs } from './pairs.ts';
import { byServers } from './by-servers.ts';
import { byVerb } from './by-verb.ts';
import { conceptsOf, idfOf, NUMBER } from './concepts.ts';
import type { ToolDocument } from './document.ts';
import { ExactNames, type Hit, rank, type SearchOptions } from './rank.ts';
import { readQuery } from './query.ts';
import { searchLimits } from './limits.ts';
import { Postings, Scoreboard } from './scoreboard.ts';
import { Vocabulary } from './vocabulary.ts';
import { textsOf, type Weighed, Weigher } from './weigh.ts';

export interface ServerDocuments {
  readonly key: string;
  readonly documents: readonly ToolDocument[];
  /** Weighed, and replaced since. */
  readonly isStale?: boolean;
}

/** Of a list of numbered terms, as long as the vocabulary has forgotten nothing. */
interface KnownTerms {
  readonly forgotten: number;
  /** Of each, in the vocabulary; -1 until needed. */
  readonly numbers: Int32Array;
  /** 1 for those that a server has, while it is placed. */
  readonly seen: Uint8Array;
}

/** How far a `Weighed` is placed. */
interface Reading {
  readonly weighed: Weighed;
  readonly known: KnownTerms;
  tool: number;
  at: number;
}

/** BM25F. Invariant: the ranking depends on the current tools, not on their order of arrival. */
export class ToolIndex {
  readonly #analyzer = new Analyzer();
  readonly #weigher = new Weigher(this.#analyzer);
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new Postings();
  readonly #names = new ExactNames();
  readonly #scoreboard = new Scoreboard();
  readonly #knownTerms = new WeakMap<readonly string[], KnownTerms>();
  readonly #servers = new Map<string, { readonly slots: readonly number[]; readonly terms: Uint32Array }>();
  readonly #documents: (ToolDocument | undefined)[] = [];
  #gone = new Uint8Array(0);
  readonly #freeSlots: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  replaceServer(key: string, documents: readonly ToolDocument[]): void {
    this.replaceServers([{ key, documents }]);
  }

  /** `weighed` has what all of these servers' texts say, as `Weigher` counts it here or in a thread. */
  replaceServers(
    servers: readonly ServerDocuments[],
    weighed: Weighed = this.#weigher.weigh(servers.map(textsOf)),
  ): void {
    const wanted = servers.filter(({ isStale }) => !isStale);
    // First, as it may end numbers of terms that the following still has.
    for (const { key } of wanted) this.removeServer(key);
    this.#grow(this.#documents.length + weighed.counts.length);
    const read = { weighed, known: this.#knownOf(weighed.terms), tool: 0, at: 0 };
    for (const server of servers) this.#place(server, read);
  }

  removeServer(key: string): void {
    const server = this.#servers.get(key);
    if (!server) return;
    for (const slot of server.slots) this.#gone[slot] = 1;
    for (const term of server.terms) this.#postings.remove(term, this.#gone);
    this.#vocabulary.removeServer(server.terms);
    for (const slot of server.slots) {
      this.#names.remove(this.#documents[slot]?.name ?? '', slot);
      this.#documents[slot] = undefined;
      this.#gone[slot] = 0;
      this.#freeSlots.push(slot);
    }
    this.#servers.delete(key);
    this.#size -= server.slots.length;
  }

  /** Exact names first, then by score, ties by id. */
  search(query: string, options: SearchOptions = {}): readonly Hit[] {
    const read = query.slice(0, searchLimits.queryCharsMax);
    const asked = readQuery(read, this.#analyzer);
    const corpus = { vocabulary: this.#vocabulary, servers: this.#servers.size };
    try {
      this.#scoreboard.fill(conceptsOf(asked, corpus), this.#postings, this.#documents.length);
      const exact = this.#names.find(query, (slot) => this.#documents[slot]);
      const limit = Math.min(options.limit ?? searchLimits.hitsShown, searchLimits.hitsMax);
      const more = { ...options, limit: Math.max(limit, searchLimits.pairedHits) };
      const hits = rank(this.#scoreboard, { documents: this.#documents, exact, options: more });
      const known = asked.terms.filter((term) => this.#vocabulary.find(term) !== undefined);
      const idf = (term: string): number => idfOf(this.#vocabulary.find(term) ?? -1, corpus);
      const together = byServers(hits, new Set(known).size);
      const paired = byPairs(together, known, { analyzer: this.#analyzer, idfOf: idf });
      return byVerb(paired, read).slice(0, limit);
    } finally {
      // A caller's filter may throw; the next query starts clean.
      this.#scoreboard.clear();
    }
  }

  /** The query's terms that some tool has, each once, outside of paths and quotes: the rest may be values. */
  knownTerms(query: string): readonly string[] {
    const { terms, values } = readQuery(query.slice(0, searchLimits.queryCharsMax), this.#analyzer);
    const isWord = (term: string): boolean =>
      !NUMBER.test(term) && !values.has(term) && this.#vocabulary.find(term) !== undefined;
    return [...new Set(terms)].filter(isWord);
  }

  toolsOf(server: string): readonly ToolDocument[] {
    return this.#documents
      .filter((document) => document?.server === server)
      .filter((document) => document !== undefined)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  #place({ key, documents, isStale = false }: ServerDocuments, read: Reading): void {
    const slots: number[] = [];
    const terms: number[] = [];
    for (const document of documents) {
      const end = read.at + (read.weighed.counts[read.tool] ?? 0);
      read.tool += 1;
      // What is not wanted is passed over.
      if (!isStale && this.#size + slots.length < searchLimits.toolsMax)
        slots.push(this.#add(document, { ...read, end }, terms));
      read.at = end;
    }
    // An empty server must not change frequencies.
    if (slots.length === 0) return;
    const { seen, numbers: known } = read.known;
    for (const term of terms) seen[term] = 0;
    const numbers = Uint32Array.from(terms, (term) => known[term] ?? 0);
    this.#vocabulary.addServer(numbers);
    this.#servers.set(key, { slots, terms: numbers });
    this.#size += slots.length;
  }

  #add(document: ToolDocument, read: Reading & { readonly end: number }, terms: number[]): number {
    const {
      weighed,
      known: { numbers, seen },
    } = read;
    const slot = this.#freeSlots.pop() ?? this.#documents.length;
    this.#documents[slot] = document;
    this.#names.add(document.name, slot);
    for (let at = read.at; at < read.end; at += 1) {
      const term = weighed.numbers[at] ?? 0;
      let number = numbers[term] ?? -1;
      if (number < 0) {
        number = this.#vocabulary.numberOf(weighed.terms[term] ?? '');
        numbers[term] = number;
      }
      if (seen[term] === 0) terms.push(term);
      seen[term] = 1;
      this.#postings.add(number, slot, weighed.says[at] ?? 0);
    }
    return slot;
  }

  #knownOf(terms: readonly string[]): KnownTerms {
    const known = this.#knownTerms.get(terms);
    const { forgotten } = this.#vocabulary;
    if (known?.forgotten === forgotten && known.numbers.length >= terms.length) return known;
    const size = Math.ceil(terms.length * GROWTH);
    const fresh = { forgotten, numbers: new Int32Array(size).fill(-1), seen: new Uint8Array(size) };
    if (known?.forgotten === forgotten) fresh.numbers.set(known.numbers);
    this.#knownTerms.set(terms, fresh);
    return fresh;
  }

  #grow(slots: number): void {
    if (this.#gone.length < slots) this.#gone = new Uint8Array(Math.ceil(slots * GROWTH));
  }
}

const GROWTH = 1.25;
