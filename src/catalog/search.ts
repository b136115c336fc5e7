import type { FoundByQuery } from './learned/recent-searches.ts';
import type { Tool } from './tool.ts';
import { documentOf } from './search/document.ts';
import { searchLimits } from './search/limits.ts';
import type { SearchOptions } from './search/rank.ts';
import { inTurns, searchEach, type Answer } from './search/search-many.ts';
import { siblings } from './search/siblings.ts';
import { type ServerDocuments, ToolIndex } from './search/tool-index.ts';
import { type ServerTexts, textsOf, type Weighed } from './search/weigh.ts';

export interface SearchedTools {
  /** Nothing else is found. The same list while nothing changes is looked through once. */
  readonly tools: readonly Tool[];
  readonly describe?: ((server: string) => string | undefined) | undefined;
  readonly learned?: LearnedTerms | undefined;
}

export interface LearnedTerms {
  /** Counts up when the terms of a tool change. */
  readonly version: number;
  /** The same list as long as nothing is learned about the tool. */
  of(server: string, tool: string): readonly string[] | undefined;
}

export interface FindRequest extends SearchedTools, Pick<SearchOptions, 'server' | 'risk' | 'usage'> {
  readonly queries: readonly string[];
  readonly limit: number;
}

export interface FoundTools {
  /** Best first. */
  readonly hits: readonly Tool[];
  /** Other tools of the best hits' servers, as `server/tool`. */
  readonly siblings: readonly string[];
  readonly byQuery: readonly FoundByQuery[];
  /** Tools that are not read yet: another search may find them. */
  readonly unread: number;
}

export interface CatalogSearchOptions {
  /** Calls `step` until it answers false, with room for other work between. Without it, all is read at once. */
  readonly bySteps?: (step: () => boolean | Promise<boolean>) => void;
  /** Reads the texts where so many tools wait; else, and when it fails, they are read in steps. */
  readonly thread?: {
    readonly toolsMin: number;
    readonly open: () => Weighing;
    readonly failed: (error: unknown) => void;
  };
}

/** `Weigher`, elsewhere. */
interface Weighing {
  weigh(servers: readonly ServerTexts[]): Promise<Weighed>;
  close(): Promise<void>;
}

interface IndexedTool {
  readonly tool: Tool;
  readonly learned: readonly string[] | undefined;
}

/** A server that waits to be read. */
interface Unread {
  readonly tools: readonly Tool[];
  readonly about: string | undefined;
  readonly learned: LearnedTerms | undefined;
}

/** As it is read. */
interface ReadServer extends ServerDocuments {
  readonly unread: Unread;
  readonly indexed: readonly IndexedTool[];
}

/** What the thread has. */
interface Batch {
  readonly servers: readonly ReadServer[];
  readonly weighed: Promise<Weighed | undefined>;
}

interface SeenList {
  readonly version: number;
  readonly learned: number;
  readonly byRef: ReadonlyMap<string, Tool>;
}

/**
 * One index for all who search; only changed servers are indexed again. Of a large list the most is read in
 * steps, so that neither a search nor anything else waits for it (decisions/2026-11-19-large-catalogs.md).
 */
export class CatalogSearch {
  #index = new ToolIndex();
  #indexed = new Map<string, ReadonlyMap<string, IndexedTool>>();
  #seen = new WeakMap<readonly Tool[], SeenList>();
  #version = 0;
  readonly #unread = new Map<string, Unread>();
  readonly #options: CatalogSearchOptions;
  #weighing: Weighing | undefined;
  #threadFailed = false;
  #closed = false;
  #batches: readonly Batch[] = [];
  #whole = Promise.withResolvers<void>();

  constructor(options: CatalogSearchOptions = {}) {
    this.#options = options;
    this.#whole.resolve();
  }

  /** When everything is read that was searched so far. */
  get whole(): Promise<void> {
    return this.#whole.promise;
  }

  get size(): number {
    return this.#index.size;
  }

  /** All that fit one query; without one, all. */
  search(
    searched: SearchedTools,
    query: string,
  ): { readonly tools: readonly Tool[]; readonly byQuery: readonly FoundByQuery[] } {
    if (query.trim() === '') return { tools: searched.tools, byQuery: [] };
    const byRef = this.#follow(searched);
    const allowed = ({ id }: { readonly id: string }): boolean => byRef.has(id);
    const hits = this.#index.search(query, { allowed, limit: searchLimits.hitsMax });
    const worst = (hits[0]?.score ?? 0) * searchLimits.scoreShareMin;
    const fitting = hits.filter(({ score }) => score >= worst);
    const byQuery = [this.#foundBy({ query, hits: fitting }, [])];
    return { tools: fitting.flatMap(({ document }) => byRef.get(document.id) ?? []), byQuery };
  }

  /** The best of several queries, and what else their servers have. */
  find(request: FindRequest): FoundTools {
    const { queries, server, risk, usage, limit } = request;
    const byRef = this.#follow(request, server);
    const allowed = ({ id }: { readonly id: string }): boolean => byRef.has(id);
    const options = { queries, server, risk, usage, limit, allowed };
    const answers = searchEach(this.#index, options);
    const hits = inTurns(answers, limit);
    const others = siblings(this.#index, hits, options).flatMap(({ tools }) => tools.map(({ id }) => id));
    // With several queries nobody can tell which of them a tool beside the hits was for.
    const beside = answers.length === 1 ? others : [];
    return {
      hits: hits.flatMap(({ document }) => byRef.get(document.id) ?? []),
      siblings: others,
      byQuery: answers.map((answer) => this.#foundBy(answer, beside)),
      unread: this.#unreadTools(),
    };
  }

  /** What is not read yet stays unread. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endThread();
  }

  forget(server: string): void {
    this.#unread.delete(server);
    this.#index.removeServer(server);
    if (this.#indexed.delete(server)) this.#version += 1;
  }

  #foundBy({ query, hits }: Answer, beside: readonly string[]): FoundByQuery {
    const best = hits.slice(0, searchLimits.hitsLearned).map(({ document }) => document.id);
    return { terms: this.#index.knownTerms(query), tools: [...best, ...beside] };
  }

  /** For `plug tools --search`, which shows all that fit: reads what is new in the list. */
  async read(searched: SearchedTools): Promise<void> {
    this.#follow(searched);
    await this.whole;
  }

  #unreadTools(): number {
    let count = 0;
    for (const { tools } of this.#unread.values()) count += tools.length;
    return count;
  }

  /** Indexes what is new in the list, the server that is asked about first. */
  #follow(searched: SearchedTools, asked?: string): ReadonlyMap<string, Tool> {
    const { tools, describe, learned } = searched;
    const known = this.#seen.get(tools);
    if (known?.version === this.#version && known.learned === (learned?.version ?? 0)) return known.byRef;
    this.#forgetStale(tools.length);
    const stale = [...Map.groupBy(tools, (tool) => tool.server)]
      .filter(([server, group]) => !this.#isIndexed(server, group, learned))
      .toSorted(([a], [b]) => Number(b === asked) - Number(a === asked));
    const isIdle = this.#unread.size === 0;
    let room: number = this.#options.bySteps ? searchLimits.readAtOnceMax : Infinity;
    for (const [server, group] of stale) {
      const unread = { tools: group, about: describe?.(server), learned };
      if (room > 0) this.#read(readServer(server, unread));
      else this.#readLater(server, unread);
      room -= group.length;
    }
    if (isIdle && this.#unread.size > 0) {
      this.#whole = Promise.withResolvers();
      this.#options.bySteps?.(() => this.#step());
    }
    const byRef = known?.byRef ?? new Map(tools.map((tool) => [tool.ref, tool]));
    this.#seen.set(tools, { version: this.#version, learned: learned?.version ?? 0, byRef });
    return byRef;
  }

  #read(read: ReadServer): void {
    this.#index.replaceServers([read]);
    this.#isRead(read);
  }

  #isRead({ key, indexed }: ReadServer): void {
    this.#unread.delete(key);
    // Another list may have counted on what was there.
    if (this.#indexed.has(key)) this.#version += 1;
    this.#indexed.set(key, new Map(indexed.map((each) => [each.tool.ref, each])));
  }

  #readLater(server: string, unread: Unread): void {
    if (this.#unread.has(server)) this.#version += 1;
    this.#unread.set(server, unread);
  }

  /** False when nothing is left. */
  #step(): boolean | Promise<boolean> {
    const { thread } = this.#options;
    if (this.#closed) return this.#isMore();
    if (thread && !this.#threadFailed && this.#unreadTools() >= thread.toolsMin)
      this.#weighing ??= thread.open();
    if (this.#weighing) return this.#stepInThread(this.#weighing);
    for (const read of this.#nextServers(searchLimits.readInStepMax)) this.#read(read);
    return this.#isMore();
  }

  #isMore(): boolean {
    if (this.#unread.size > 0 && !this.#closed) return true;
    this.#whole.resolve();
    return false;
  }

  /** Puts in what the thread has weighed, while it weighs what comes next. */
  async #stepInThread(weighing: Weighing): Promise<boolean> {
    const servers = this.#nextServers(searchLimits.threadBatchMax);
    if (servers.length > 0) {
      const weighed = this.#weighedBy(weighing, servers);
      this.#batches = [...this.#batches, { servers, weighed }];
    }
    const [first, ...rest] = this.#batches;
    if (first && (servers.length === 0 || this.#batches.length >= searchLimits.threadBatchesAhead)) {
      const weighed = await first.weighed;
      this.#batches = rest;
      if (weighed) this.#put(first.servers, weighed);
    }
    if (this.#unread.size === 0 || this.#threadFailed) await this.#endThread();
    return this.#isMore();
  }

  /** Nothing, and a word about it, when the thread fails. */
  async #weighedBy(weighing: Weighing, servers: readonly ReadServer[]): Promise<Weighed | undefined> {
    try {
      return await weighing.weigh(servers.map(textsOf));
    } catch (error) {
      // A thread that was closed has not failed.
      if (weighing === this.#weighing && !this.#threadFailed) this.#options.thread?.failed(error);
      this.#threadFailed ||= weighing === this.#weighing;
      return undefined;
    }
  }

  async #endThread(): Promise<void> {
    const weighing = this.#weighing;
    this.#weighing = undefined;
    this.#batches = [];
    await weighing?.close();
  }

  #put(servers: readonly ReadServer[], weighed: Weighed): void {
    // Some may have been forgotten or replaced meanwhile.
    const placed = servers.map((read) => ({ ...read, isStale: this.#unread.get(read.key) !== read.unread }));
    this.#index.replaceServers(placed, weighed);
    for (const read of placed) if (!read.isStale) this.#isRead(read);
  }

  #nextServers(toolsMax: number): readonly ReadServer[] {
    const underWay = new Set(this.#batches.flatMap(({ servers }) => servers.map(({ unread }) => unread)));
    const next: ReadServer[] = [];
    let room = toolsMax;
    for (const [server, unread] of this.#unread) {
      if (room <= 0) return next;
      if (underWay.has(unread)) continue;
      next.push(readServer(server, unread));
      room -= unread.tools.length;
    }
    return next;
  }

  /** A profile may show fewer tools of a server. */
  #isIndexed(server: string, tools: readonly Tool[], learned: LearnedTerms | undefined): boolean {
    const known = this.#indexed.get(server);
    return tools.every(({ ref, name, definition, schema, risk }) => {
      const before = known?.get(ref);
      return (
        before?.tool.definition === definition &&
        before.tool.schema === schema &&
        before.tool.risk === risk &&
        before.learned === learned?.of(server, name)
      );
    });
  }

  /** What is in no list any more goes with the next fresh start. */
  #forgetStale(wanted: number): void {
    if (this.#index.size <= 2 * wanted + searchLimits.staleToolsMax) return;
    this.#index = new ToolIndex();
    this.#indexed = new Map();
    this.#unread.clear();
    this.#version += 1;
  }
}

function readServer(key: string, unread: Unread): ReadServer {
  const { tools, about, learned } = unread;
  const indexed = tools.map((tool) => ({ tool, learned: learned?.of(key, tool.name) }));
  return {
    key,
    unread,
    indexed,
    documents: indexed.map((each) => documentOf(each.tool, about, each.learned)),
  };
}
