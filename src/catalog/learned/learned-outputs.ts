import type { Clock } from '../../base/clock.ts';
import { plainNumber } from '../../base/exact-number.ts';
import { type Json, type JsonObject, isObject } from '../../base/json.ts';
import type { TaskGroup } from '../../base/tasks.ts';
import type { OwnerId } from '../../servers/store.ts';
import { hashTool } from '../pin.ts';
import type { Tool } from '../tool.ts';
import { learnedLimits as limits } from './limits.ts';
import { mergeShapes } from './merge-shapes.ts';
import { resultValue } from './result-value.ts';
import type { LearnedStore, LearnedTool } from './store.ts';

export interface LearnedOutputsOptions extends LearningOptions {
  readonly store: Pick<LearnedStore, 'listLearned' | 'putLearned' | 'forgetServer'>;
}

export interface LearningOptions {
  readonly owner: OwnerId;
  readonly clock: Clock;
  readonly tasks: TaskGroup;
  /** Nothing is learned where calls aren't recorded. */
  readonly isRecorded: (server: string) => boolean;
}

export interface Learner {
  readonly key: string;
  readonly definition: { readonly id: string };
}

/** Result shapes of tools without an output schema, learned from the first few results. */
export class LearnedOutputs {
  readonly #options: LearnedOutputsOptions;
  readonly #rows = new Map<string, LearnedTool>();
  /** By definition object: `true` when there is nothing to learn. */
  readonly #known = new WeakMap<object, true | string>();
  readonly #unwritten = new Map<string, LearnedTool>();
  #loading: Promise<void> | undefined;
  #writing = false;

  constructor(options: LearnedOutputsOptions) {
    this.#options = options;
  }

  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  learn(server: Learner, tool: Pick<Tool, 'name' | 'definition'>, result: JsonObject): void {
    const known = this.#known.get(tool.definition);
    if (known === true) return;
    if (!this.#options.isRecorded(server.definition.id)) return;
    const hash = known ?? this.#firstLook(server, tool);
    if (hash === undefined) return;
    const key = learnedKey(server.key, tool.name);
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

  of(server: string, tool: string, hash: string): LearnedTool | undefined {
    const row = this.#rows.get(learnedKey(server, tool));
    return row?.hash === hash ? row : undefined;
  }

  async forget(server: string): Promise<void> {
    const gone = ([, row]: readonly [string, LearnedTool]): boolean => row.server === server;
    for (const [key] of [...this.#rows].filter(gone)) this.#rows.delete(key);
    for (const [key] of [...this.#unwritten].filter(gone)) this.#unwritten.delete(key);
    await this.#options.store.forgetServer(this.#options.owner, server);
  }

  close(): Promise<void> {
    return this.#write();
  }

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
      const key = learnedKey(row.server, row.tool);
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

function learnedKey(server: string, tool: string): string {
  return JSON.stringify([server, tool]);
}

/** As JSON Schema: types and property names, never a value. */
export function shapeOf(value: unknown): JsonObject {
  let left: number = limits.valuesPerResultMax;
  return shapeAt(value, 0);

  function shapeAt(given: unknown, depth: number): JsonObject {
    left -= 1;
    if (depth > limits.depthMax || left < 0) return {};
    const inner = plainNumber(given);
    if (inner === null) return { type: 'null' };
    if (Array.isArray(inner)) {
      const [first, ...others] = inner.slice(0, limits.itemsMax).map((item) => shapeAt(item, depth + 1));
      return first === undefined
        ? { type: 'array' }
        : { type: 'array', items: others.reduce(mergeShapes, first) };
    }
    if (isObject(inner)) return objectAt(inner, depth);
    if (typeof inner === 'number') return { type: Number.isInteger(inner) ? 'integer' : 'number' };
    return typeof inner === 'string' || typeof inner === 'boolean' ? { type: typeof inner } : {};
  }

  function objectAt(object: Record<string, unknown>, depth: number): JsonObject {
    const names = Object.keys(object);
    if (names.length > limits.propertiesMax || names.some(isDataName)) {
      const values = names.slice(0, limits.itemsMax).map((name) => shapeAt(object[name], depth + 1));
      return { type: 'object', additionalProperties: values.reduce(mergeShapes, values[0] ?? {}) };
    }
    const shapes: [string, Json][] = names.map((name) => [name, shapeAt(object[name], depth + 1)]);
    return { type: 'object', properties: Object.fromEntries(shapes), required: names.toSorted() };
  }
}

/** A property name that is data: an id, address, path or date. */
function isDataName(name: string): boolean {
  return name.length > limits.nameCharsMax || !WORD.test(name) || DATA.some((shape) => shape.test(name));
}

/** Such as `total_count`, `@type`, `content-type`, `_links.self`. */
const WORD = /^[@_$A-Za-z][\w$.:-]*$/;

const DATA: readonly RegExp[] = [
  /\d{5,}/,
  /\d{4}-\d{2}/,
  /** Hexadecimal with digits. */
  /^(?=.*\d)[0-9a-f-]{8,}$/i,
  /** Generated keys: long and mixed. */
  /^(?=.*\d)(?=.*[A-Z])(?=.*[a-z])[A-Za-z0-9]{16,}$/,
  /^[\w.+-]+@[\w-]/,
];
