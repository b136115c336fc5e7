import { Analyzer } from './analyze.ts';
import { byPairs } from './pairs.ts';
import { byServers } from './by-servers.ts';
import { byVerb } from './by-verb.ts';
import { conceptsOf, idfOf, NUMBER } from './concepts.ts';
import { firstSentence, schemaWords, type ToolDocument } from './document.ts';
import { ExactNames, type Hit, rank, type SearchOptions } from './rank.ts';
import { readQuery } from './query.ts';
import { searchLimits } from './limits.ts';
import { FIRST_IN_NAME, IMPACT_MAX, IN_NAME, Postings, Scoreboard } from './scoreboard.ts';
import { Vocabulary } from './vocabulary.ts';
import { type Field, fields, weights } from './weights.ts';

/** BM25F. Invariant: the ranking depends on the current tools, not on their order of arrival. */
export class ToolIndex {
  readonly #analyzer = new Analyzer();
  readonly #vocabulary = new Vocabulary();
  readonly #postings = new Postings();
  readonly #names = new ExactNames();
  readonly #scoreboard = new Scoreboard();
  readonly #servers = new Map<string, { readonly slots: readonly number[]; readonly terms: Uint32Array }>();
  readonly #documents: (ToolDocument | undefined)[] = [];
  #gone = new Uint8Array(0);
  readonly #freeSlots: number[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  replaceServer(key: string, documents: readonly ToolDocument[]): void {
    this.removeServer(key);
    const terms = new Set<number>();
    const room = searchLimits.toolsMax - this.#size;
    this.#grow(this.#documents.length + documents.length);
    const slots = documents.slice(0, room).map((document) => this.#add(document, terms));
    // An empty server must not change frequencies.
    if (slots.length === 0) return;
    this.#vocabulary.addServer(terms);
    this.#servers.set(key, { slots, terms: Uint32Array.from(terms) });
    this.#size += slots.length;
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

  #add(document: ToolDocument, terms: Set<number>): number {
    const slot = this.#freeSlots.pop() ?? this.#documents.length;
    this.#documents[slot] = document;
    this.#names.add(document.name, slot);
    for (const [term, says] of weigh(document, this.#analyzer)) {
      const number = this.#vocabulary.numberOf(term);
      terms.add(number);
      this.#postings.add(number, slot, says);
    }
    return slot;
  }

  #grow(slots: number): void {
    if (this.#gone.length < slots) this.#gone = new Uint8Array(Math.ceil(slots * GROWTH));
  }
}

const GROWTH = 1.25;

/** BM25F frequencies, summed over the fields and saturated; terms of the name are marked. */
function weigh(document: ToolDocument, analyzer: Analyzer): ReadonlyMap<string, number> {
  const texts = textsOf(document);
  const frequencies = new Map<string, number>();
  for (const { field, weight, b, usualTerms } of fields) {
    const terms = field === 'learned' ? (document.learned ?? []) : termsOf(texts, field, analyzer);
    const share = weight / (1 - b + (b * terms.length) / usualTerms);
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
  }
  for (const [term, frequency] of frequencies) {
    const impact = Math.round((IMPACT_MAX * frequency) / (weights.k1 + frequency));
    frequencies.set(term, Math.max(1, impact));
  }
  for (const [place, term] of analyzer.terms(texts.name).entries()) {
    const mark = place === 0 ? IN_NAME | FIRST_IN_NAME : IN_NAME;
    frequencies.set(term, (frequencies.get(term) ?? 0) | mark);
  }
  return frequencies;
}

type TextField = Exclude<Field, 'learned'>;
type Texts = Readonly<Record<TextField, string>>;

function termsOf(texts: Texts, field: TextField, analyzer: Analyzer): readonly string[] {
  const text = texts[field];
  return field === 'serverDescription' ? analyzer.repeatedTerms(text) : analyzer.terms(text);
}

function textsOf(document: ToolDocument): Texts {
  const { names, texts } = schemaWords(document.inputSchema);
  return {
    name: document.name,
    title: document.title ?? '',
    firstSentence: firstSentence(document.description ?? ''),
    description: document.description ?? '',
    parameterNames: names,
    parameterTexts: texts,
    serverName: document.server,
    serverDescription: document.serverDescription ?? '',
  };
}
