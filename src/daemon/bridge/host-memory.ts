import { isObject, type JsonObject } from '../../base/json.ts';
import type { Frame } from './frame-scanner.ts';
import type { BridgeLimits } from './limits.ts';
import { INITIALIZED_LINE } from './own-lines.ts';

interface UnderWay {
  /** How many with this id: a host may use one twice. */
  count: number;
  /** What is said again to a new hub, instead of being answered with an error. */
  readonly line: string | undefined;
}

/** What a host has said that must survive a hub: how it began, and what it waits for. */
export class HostMemory {
  readonly #limits: BridgeLimits;
  readonly #requests = new Map<string, UnderWay>();
  /** Questions of the hub that the host has not answered. */
  readonly #questions = new Set<string>();
  #initialize: JsonObject | undefined;
  /** The id of `initialize`, until it is answered. */
  #opening: string | undefined;
  #initialized = false;

  constructor(limits: BridgeLimits) {
    this.#limits = limits;
  }

  /** What a legacy host must say again to a new hub; undefined for a modern one. */
  get session(): { readonly params: JsonObject; readonly initialized: boolean } | undefined {
    if (!this.#initialize || this.#opening !== undefined) return undefined;
    return { params: this.#initialize, initialized: this.#initialized };
  }

  hostSaid({ id, method }: Frame, line: Buffer | undefined): void {
    const key = id === undefined ? undefined : keyOf(id);
    if (key !== undefined && method === undefined) this.#questions.delete(key);
    else if (key !== undefined && method !== undefined) this.#request(key, method, line);
    else if (method === 'notifications/initialized') this.#initialized = true;
    else if (method === 'notifications/cancelled' && line) this.#cancelled(line);
  }

  hubSaid({ id, method }: Frame): void {
    const key = id === undefined ? undefined : keyOf(id);
    if (key === undefined) return;
    if (method !== undefined) {
      if (this.#questions.size < this.#limits.requestsKnownMax) this.#questions.add(key);
      return;
    }
    this.#answered(key);
  }

  /**
   * The hub is gone: ids that it will not answer, and questions of its that nobody wants answered.
   * What can be said again is kept, unless everything is to end.
   */
  takeLost({ all }: { readonly all: boolean }): {
    readonly ids: readonly string[];
    readonly questions: readonly string[];
  } {
    const ids: string[] = [];
    for (const [id, { count, line }] of this.#requests) {
      if (line !== undefined && !all) continue;
      for (let each = 0; each < count; each += 1) ids.push(id);
      this.#requests.delete(id);
      if (id === this.#opening) this.#opening = this.#initialize = undefined;
    }
    const questions = [...this.#questions];
    this.#questions.clear();
    return { ids, questions };
  }

  /** Lines that a new hub must hear. */
  linesToRepeat(): readonly string[] {
    const lines: string[] = [];
    for (const [id, { line }] of this.#requests) {
      if (line === undefined) continue;
      lines.push(`${line}\n`);
      if (id === this.#opening && this.#initialized) lines.push(INITIALIZED_LINE);
    }
    return lines;
  }

  #request(key: string, method: string, line: Buffer | undefined): void {
    const known = this.#requests.get(key);
    if (known) known.count += 1;
    else if (this.#requests.size < this.#limits.requestsKnownMax) {
      this.#requests.set(key, { count: 1, line: this.#lineToKeep(method, line) });
    }
    if (method !== 'initialize' || !line) return;
    const params = paramsOf(line);
    if (!params) return;
    this.#initialize = params;
    this.#opening = key;
    this.#initialized = false;
  }

  /** A handshake that was not answered, and what stays open anyway, can begin anew without harm. */
  #lineToKeep(method: string, line: Buffer | undefined): string | undefined {
    if (method !== 'initialize' && method !== 'subscriptions/listen') return undefined;
    if (!line || line.length > this.#limits.keptLineBytesMax) return undefined;
    if (this.#keptLines() >= this.#limits.keptLinesMax) return undefined;
    return line.toString('utf8');
  }

  #keptLines(): number {
    let count = 0;
    for (const { line } of this.#requests.values()) if (line !== undefined) count += 1;
    return count;
  }

  #answered(key: string): void {
    if (key === this.#opening) this.#opening = undefined;
    const known = this.#requests.get(key);
    if (known && known.count > 1) known.count -= 1;
    else this.#requests.delete(key);
  }

  #cancelled(line: Buffer): void {
    const id = paramsOf(line)?.['requestId'];
    const key = id === undefined ? undefined : JSON.stringify(id);
    if (key !== undefined && key !== this.#opening) this.#answered(key);
  }
}

/** The same id may be written in several ways; the hub writes it in one. */
function keyOf(id: string): string | undefined {
  if (PLAIN_ID.test(id)) return id;
  try {
    const value: unknown = JSON.parse(id);
    return typeof value === 'string' || typeof value === 'number' ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}

const PLAIN_ID = /^(?:0|[1-9]\d{0,14}|"[\w:.-]*")$/;

function paramsOf(line: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    const params = isObject(value) ? value['params'] : undefined;
    return isObject(params) ? (params as JsonObject) : undefined; // JSON.parse makes nothing but JSON
  } catch {
    return undefined;
  }
}
