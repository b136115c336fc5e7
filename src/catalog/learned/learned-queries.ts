import { learnedLimits as limits } from './limits.ts';
import type { Learner, LearningOptions } from './learned-outputs.ts';
import { RecentSearches, type FoundByQuery } from './recent-searches.ts';
import type { LearnedQueriesOfTool, LearnedStore } from './store.ts';

export interface LearnedQueriesOptions extends LearningOptions {
  readonly store: Pick<LearnedStore, 'listQueries' | 'putQueries' | 'clearQueries' | 'forgetServer'>;
}

/** Queries that led to a successful call, so that the next search for the same finds the tool first. */
export class LearnedQueries {
  readonly #options: LearnedQueriesOptions;
  readonly #recent: RecentSearches;
  readonly #rows = new Map<string, LearnedQueriesOfTool>();
  readonly #terms = new Map<string, readonly string[]>();
  readonly #unwritten = new Map<string, LearnedQueriesOfTool>();
  #loading: Promise<void> | undefined;
  #writing = false;
  #version = 0;

  constructor(options: LearnedQueriesOptions) {
    this.#options = options;
    this.#recent = new RecentSearches(options.clock);
  }

  /** Counts up when the terms of a tool change. */
  get version(): number {
    return this.#version;
  }

  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  searched(caller: string, found: readonly FoundByQuery[]): void {
    this.#recent.add(caller, found);
  }

  /** Whether any caller has. */
  get isSearched(): boolean {
    return !this.#recent.isEmpty;
  }

  hasSearched(caller: string): boolean {
    return this.#recent.has(caller);
  }

  /** A call that succeeded: it may be what a search of this caller was for. */
  called(caller: string, { key, definition }: Learner, tool: string): void {
    const led = this.#recent.take(caller, `${definition.id}/${tool}`);
    if (led.length === 0 || !this.#options.isRecorded(definition.id)) return;
    const row = rowKey(key, tool);
    const before = this.#rows.get(row);
    if (!before && this.#rows.size >= limits.toolsMax) return;
    const queries = [...new Set([...led, ...(before?.queries ?? [])])].slice(0, limits.queriesPerToolMax);
    const learned: LearnedQueriesOfTool = { server: key, tool, queries };
    this.#set(row, learned);
    this.#unwritten.set(row, learned);
    this.#writeSoon();
  }

  of(server: string, tool: string): LearnedQueriesOfTool | undefined {
    return this.#rows.get(rowKey(server, tool));
  }

  /** The same list as long as nothing is learned about the tool. */
  termsOf(server: string, tool: string): readonly string[] | undefined {
    return this.#terms.get(rowKey(server, tool));
  }

  async forget(server: string): Promise<void> {
    for (const [row, learned] of this.#rows) if (learned.server === server) this.#drop(row);
    await this.#options.store.forgetServer(this.#options.owner, server);
  }

  async clear(): Promise<void> {
    await this.load();
    for (const row of this.#rows.keys()) this.#drop(row);
    this.#recent.clear();
    await this.#options.store.clearQueries(this.#options.owner);
  }

  close(): Promise<void> {
    return this.#write();
  }

  async #load(): Promise<void> {
    const { store, owner } = this.#options;
    for (const learned of await store.listQueries(owner)) {
      const row = rowKey(learned.server, learned.tool);
      if (!this.#rows.has(row)) this.#set(row, learned);
    }
  }

  #set(row: string, learned: LearnedQueriesOfTool): void {
    this.#rows.set(row, learned);
    this.#terms.set(
      row,
      learned.queries.flatMap((query) => query.split(' ')),
    );
    this.#version += 1;
  }

  #drop(row: string): void {
    this.#rows.delete(row);
    this.#terms.delete(row);
    this.#unwritten.delete(row);
    this.#version += 1;
  }

  #writeSoon(): void {
    if (this.#writing) return;
    this.#writing = true;
    const { clock, tasks } = this.#options;
    tasks.run('write what searches led to', async (signal) => {
      try {
        await clock.sleep(limits.writeDelayMs, signal);
      } finally {
        this.#writing = false;
      }
      await this.#write();
    });
  }

  async #write(): Promise<void> {
    const rows = [...this.#unwritten.values()];
    if (rows.length === 0) return;
    this.#unwritten.clear();
    await this.#options.store.putQueries(this.#options.owner, rows);
  }
}

function rowKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
