import type { Clock } from '../../base/clock.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { TaskGroup } from '../../base/tasks.ts';
import type { OwnerId } from '../../servers/store.ts';
import { hashTool } from '../pin.ts';
import type { Tool } from '../tool.ts';
import { learnedLimits as limits } from './limits.ts';
import { mergeShapes } from './merge-shapes.ts';
import { resultValue } from './result-value.ts';
import { shapeOf } from './shape.ts';
import type { LearnedStore, LearnedTool } from './store.ts';

export interface LearnedOutputsOptions {
  readonly store: LearnedStore;
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  /** Nothing is learned where calls are not recorded either. */
  readonly isRecorded: (server: string) => boolean;
}

/** Whose result it is: the key, and the id that people know. */
export interface Learner {
  readonly key: string;
  readonly definition: { readonly id: string };
}

/**
 * What results look like of tools that do not say so. Learned from the first few of each
 * definition; every later call pays one look into a map.
 */
export class LearnedOutputs {
  readonly #options: LearnedOutputsOptions;
  readonly #rows = new Map<string, LearnedTool>();
  /** By the definition itself, as the manifest holds it: `true` means that there is nothing to learn. */
  readonly #known = new WeakMap<object, true | string>();
  readonly #unwritten = new Map<string, LearnedTool>();
  #loading: Promise<void> | undefined;
  #writing = false;

  constructor(options: LearnedOutputsOptions) {
    this.#options = options;
  }

  /** Reads what earlier runs have learned, once. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  learn(server: Learner, tool: Pick<Tool, 'name' | 'definition'>, result: JsonObject): void {
    const known = this.#known.get(tool.definition);
    if (known === true) return;
    if (!this.#options.isRecorded(server.definition.id)) return;
    const hash = known ?? this.#firstLook(server, tool);
    if (hash === undefined) return;
    const key = keyOf(server.key, tool.name);
    const before = this.#rows.get(key);
    const row = before?.hash === hash ? before : undefined;
    if (!before && this.#rows.size >= limits.toolsMax) return;
    const seen = (row?.seen ?? 0) + 1;
    const shape = shapeOf(resultValue(result));
    const schema = row ? mergeShapes(row.schema, shape) : shape;
    const learned: LearnedTool = { server: server.key, tool: tool.name, hash, seen, schema };
    this.#rows.set(key, learned);
    this.#unwritten.set(key, learned);
    if (seen >= limits.resultsPerToolMax) this.#known.set(tool.definition, true);
    this.#writeSoon();
  }

  /** What is known of a tool as it is defined now. */
  of(server: string, tool: string, hash: string): LearnedTool | undefined {
    const row = this.#rows.get(keyOf(server, tool));
    return row?.hash === hash ? row : undefined;
  }

  async forget(server: string): Promise<void> {
    const gone = ([, row]: readonly [string, LearnedTool]): boolean => row.server === server;
    for (const [key] of [...this.#rows].filter(gone)) this.#rows.delete(key);
    for (const [key] of [...this.#unwritten].filter(gone)) this.#unwritten.delete(key);
    await this.#options.store.forgetServer(this.#options.owner, server);
  }

  /** Writes what was not written yet. */
  close(): Promise<void> {
    return this.#write();
  }

  /** The hash under which a tool is learned; undefined when it says itself what it answers. */
  #firstLook(server: Learner, { name, definition }: Pick<Tool, 'name' | 'definition'>): string | undefined {
    const declared = isObject(definition['outputSchema']);
    const hash = declared ? '' : hashTool(definition);
    const full = (this.of(server.key, name, hash)?.seen ?? 0) >= limits.resultsPerToolMax;
    this.#known.set(definition, declared || full ? true : hash);
    return declared || full ? undefined : hash;
  }

  async #load(): Promise<void> {
    const { store, owner } = this.#options;
    for (const row of await store.listLearned(owner)) {
      const key = keyOf(row.server, row.tool);
      if (!this.#rows.has(key)) this.#rows.set(key, row);
    }
  }

  #writeSoon(): void {
    if (this.#writing) return;
    this.#writing = true;
    const { clock, tasks } = this.#options;
    tasks.run('write what results look like', async (signal) => {
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
    await this.#options.store.putLearned(this.#options.owner, rows);
  }
}

/** Names may hold any character. */
function keyOf(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}
