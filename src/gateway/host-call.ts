import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { HostHandler, HostHandlers, HostRequest, HostRequestKind } from '../connections/host.ts';
import type { Era } from '../connections/manifest.ts';
import type { RpcId } from './rpc.ts';

/** One request of a host's while it is worked on, whatever era the host speaks. */
export interface HostCall {
  readonly era: Era;
  readonly signal: AbortSignal;
  /** The host as the hub knows it: what a server must not share is kept for it. */
  readonly host: string | undefined;
  /** It came with a token, which opens nothing but the gateway: so does whatever it is told. */
  readonly hasToken: boolean;
  /** What the host can answer in the course of this request. */
  readonly handlers: HostHandlers;
  readonly progressToken: RpcId | undefined;
  /** Undefined: the host did not say, and gets what the server sends by itself. */
  readonly logLevel: string | undefined;
  readonly wantsLogs: boolean;
  /** What the host sent along for the server. */
  readonly meta: JsonObject | undefined;
  /** Whether the host follows tasks itself. */
  readonly followsTasks: boolean;
  notify(method: string, params: JsonObject): void;
  /** Ends the work; the host still gets an answer. */
  abort(reason: Error): void;
}

export const methodOf: Readonly<Record<HostRequestKind, string>> = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
};

const KINDS: readonly HostRequestKind[] = ['elicitation', 'sampling', 'roots'];
const META = 'io.modelcontextprotocol/';

/** What a host declared, as something that can be asked. */
export function handlersFor(
  capabilities: JsonObject,
  ask: (request: HostRequest, signal: AbortSignal) => Promise<JsonObject>,
): HostHandlers {
  const kinds = answersOf(capabilities);
  // The rule: most hosts answer nothing, and every request comes here.
  if (kinds.length === 0) return { capabilities };
  const handler: HostHandler = (request, { signal }) => ask(request, signal);
  return { ...Object.fromEntries(kinds.map((kind) => [kind, handler])), capabilities };
}

/** Looked at once for each declaration, which comes again with every request. */
export function answersOf(capabilities: JsonObject): readonly HostRequestKind[] {
  const known = answers.get(capabilities);
  if (known) return known;
  const kinds = KINDS.filter((kind) => isObject(capabilities[kind]));
  answers.set(capabilities, kinds);
  return kinds;
}

const answers = new WeakMap<JsonObject, readonly HostRequestKind[]>();

/** A form is what a host that only says “elicitation” can show. */
export function showsForms(capabilities: JsonObject | undefined): boolean {
  const elicitation = capabilities?.['elicitation'];
  if (!isObject(elicitation)) return false;
  return isObject(elicitation['form']) || !isObject(elicitation['url']);
}

export function metaOf(params: JsonObject): JsonObject {
  const meta = params['_meta'];
  return isObject(meta) ? meta : NONE;
}

export function progressTokenOf(meta: JsonObject): RpcId | undefined {
  const token = meta['progressToken'];
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** The rest of `_meta`: without what belongs to the link between the host and us. */
export function passedMeta(meta: JsonObject): JsonObject | undefined {
  let passed: Record<string, Json | undefined> | undefined;
  for (const key in meta) {
    if (key === 'progressToken' || key.startsWith(META)) continue;
    passed ??= {};
    passed[key] = meta[key];
  }
  return passed;
}

const NONE: JsonObject = {};

/**
 * What modern hosts say in every request that they can do, as one object for all requests that say
 * the same: what is made from it further on is then made once, not for every call.
 */
export class Declared {
  readonly #known = new Map<string, JsonObject>();

  of(capabilities: unknown): JsonObject {
    if (!isObject(capabilities)) return NOTHING;
    const text = JSON.stringify(capabilities);
    if (text === '{}') return NOTHING;
    const given = capabilities as JsonObject; // it came as JSON
    if (text.length > CHARS_KEPT_MAX) return given;
    const known = this.#known.get(text);
    if (known) return known;
    // There are as many as kinds of hosts; a flood of new ones must not stay.
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(text, given);
    return given;
  }
}

const NOTHING: JsonObject = {};
const KNOWN_MAX = 256;
const CHARS_KEPT_MAX = 4_000;
