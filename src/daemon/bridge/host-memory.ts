import { idKey } from '../../base/exact-number.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { parseJson } from '../../base/parse-json.ts';
import { isRpcId } from '../../gateway/rpc.ts';
import type { Frame } from './frame-scanner.ts';
import type { BridgeLimits } from './limits.ts';

export const INITIALIZED_LINE = '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

const INITIALIZE = 'initialize';
const SUBSCRIBE = 'resources/subscribe';
const SET_LEVEL = 'logging/setLevel';
/** Requests that change what a hub keeps for a legacy host. */
const SESSION_METHODS: ReadonlySet<string> = new Set([
  INITIALIZE,
  SUBSCRIBE,
  'resources/unsubscribe',
  SET_LEVEL,
]);

export interface LegacySession {
  readonly params: JsonObject;
  readonly initialized: boolean;
  /** Requests that restore the host's log level and subscriptions. */
  readonly desired: readonly { readonly method: string; readonly params: JsonObject }[];
}

interface UnderWay {
  /** As the host wrote it. */
  readonly id: string;
  /** Requests with this id: a host may use one twice. */
  count: number;
  /** Repeated to a new hub, instead of being answered with an error. */
  readonly line: string | undefined;
}

/** Remembers what must survive a hub: how the host began, and what it waits for. */
export class HostMemory {
  readonly #limits: BridgeLimits;
  readonly #requests = new Map<string, UnderWay>();
  readonly #questions = new Set<string>();
  #initialize: JsonObject | undefined;
  /** The id of `initialize`, until it is answered. */
  #opening: string | undefined;
  #initialized = false;
  /** The subscriptions of a legacy host, by URI; requests of the host, without their ids. */
  readonly #subscriptions = new Map<string, JsonObject>();
  #logLevel: JsonObject | undefined;

  constructor(limits: BridgeLimits) {
    this.#limits = limits;
  }

  /** The session of a legacy host, to be opened again with a new hub. */
  get session(): LegacySession | undefined {
    if (!this.#initialize || this.#opening !== undefined) return undefined;
    const level = this.#logLevel ? [{ method: SET_LEVEL, params: this.#logLevel }] : [];
    const subscriptions = [...this.#subscriptions.values()].map((params) => ({ method: SUBSCRIBE, params }));
    const desired = [...level, ...subscriptions];
    return { params: this.#initialize, initialized: this.#initialized, desired };
  }

  hostSaid({ id, method }: Frame, line: Buffer | undefined): void {
    const key = id === undefined ? undefined : requestKey(id);
    if (key !== undefined && method === undefined) this.#questions.delete(key);
    else if (id !== undefined && key !== undefined && method !== undefined) {
      this.#request(id, key, method, line);
    } else if (method === 'notifications/initialized') this.#initialized = true;
    else if (method === 'notifications/cancelled' && line) this.#cancelled(line);
  }

  hubSaid({ id, method }: Frame): void {
    const key = id === undefined ? undefined : requestKey(id);
    if (key === undefined) return;
    if (method === undefined) this.#answered(key);
    else if (this.#questions.size < this.#limits.requestsKnownMax) this.#questions.add(key);
  }

  /** Unanswered requests and open questions of a lost hub. Lines to repeat stay, unless `all`. */
  takeLost(all: boolean): { readonly ids: readonly string[]; readonly questions: readonly string[] } {
    const ids: string[] = [];
    for (const [key, { id, count, line }] of this.#requests) {
      if (line !== undefined && !all) continue;
      for (let each = 0; each < count; each += 1) ids.push(id);
      this.#requests.delete(key);
      if (key === this.#opening) this.#opening = this.#initialize = undefined;
    }
    const questions = [...this.#questions];
    this.#questions.clear();
    return { ids, questions };
  }

  linesToRepeat(): readonly string[] {
    const lines: string[] = [];
    for (const [key, { line }] of this.#requests) {
      if (line === undefined) continue;
      lines.push(`${line}\n`);
      if (key === this.#opening && this.#initialized) lines.push(INITIALIZED_LINE);
    }
    return lines;
  }

  #request(id: string, key: string, method: string, line: Buffer | undefined): void {
    const known = this.#requests.get(key);
    if (known) known.count += 1;
    else if (this.#requests.size < this.#limits.requestsKnownMax) {
      this.#requests.set(key, { id, count: 1, line: this.#lineToKeep(method, line) });
    }
    if (!line || !SESSION_METHODS.has(method)) return;
    const params = paramsOf(line, key);
    if (!params) return;
    if (method !== INITIALIZE) return this.#desire(method, params, line.length);
    this.#initialize = params;
    this.#opening = key;
    this.#initialized = false;
    this.#subscriptions.clear();
    this.#logLevel = undefined;
  }

  /** Noted when asked for: repeating what a hub refused only makes the next hub refuse it, too. */
  #desire(method: string, params: JsonObject, bytes: number): void {
    if (method === SET_LEVEL) {
      if (bytes <= this.#limits.keptLineBytesMax) this.#logLevel = params;
      return;
    }
    const { uri } = params;
    if (typeof uri !== 'string') return;
    this.#subscriptions.delete(uri);
    const full = this.#subscriptions.size >= this.#limits.subscriptionsKeptMax;
    if (method !== SUBSCRIBE || full || bytes > this.#limits.keptLineBytesMax) return;
    this.#subscriptions.set(uri, params);
  }

  /** An unanswered handshake and an open subscription can be repeated without harm. */
  #lineToKeep(method: string, line: Buffer | undefined): string | undefined {
    if (method !== INITIALIZE && method !== 'subscriptions/listen') return undefined;
    if (!line || line.length > this.#limits.keptLineBytesMax) return undefined;
    const kept = [...this.#requests.values()].filter((known) => known.line !== undefined);
    return kept.length >= this.#limits.keptLinesMax ? undefined : line.toString('utf8');
  }

  #answered(key: string): void {
    if (key === this.#opening) this.#opening = undefined;
    const known = this.#requests.get(key);
    if (known && known.count > 1) known.count -= 1;
    else this.#requests.delete(key);
  }

  #cancelled(line: Buffer): void {
    const id = paramsOf(line, undefined)?.['requestId'];
    const key = keyOf(id);
    if (key !== undefined && key !== this.#opening) this.#answered(key);
  }
}

/** An id can be spelled in several ways. */
function requestKey(id: string): string | undefined {
  if (PLAIN_ID.test(id)) return id;
  try {
    return keyOf(parseJson(id));
  } catch {
    return undefined;
  }
}

function keyOf(id: unknown): string | undefined {
  if (!isRpcId(id)) return undefined;
  return typeof id === 'string' ? JSON.stringify(id) : String(idKey(id));
}

const PLAIN_ID = /^(?:0|[1-9]\d{0,14}|"[\w:.-]*")$/;

/** Of the message with this id, where the line is a batch. */
function paramsOf(line: Buffer, key: string | undefined): JsonObject | undefined {
  try {
    const value = parseJson(line.toString('utf8'));
    const message: unknown = Array.isArray(value) ? value.find((each) => hasKey(each, key)) : value;
    const params = isObject(message) ? message['params'] : undefined;
    return isObject(params) ? (params as JsonObject) : undefined; // parsed from JSON
  } catch {
    return undefined;
  }
}

function hasKey(message: unknown, key: string | undefined): boolean {
  return isObject(message) && key !== undefined && keyOf(message['id']) === key;
}
