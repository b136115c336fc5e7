import { isObject, type Json, type JsonObject } from '../base/json.ts';
import type { HostHandler, HostHandlers, HostRequest, HostRequestKind } from '../connections/host.ts';
import type { Era } from '../connections/manifest.ts';
import type { HostTasks } from './host-tasks.ts';
import { isRpcId, type RpcId } from './rpc.ts';

export interface HostCall {
  readonly era: Era;
  readonly signal: AbortSignal;
  /** The hub's id of the host: unshared servers are kept for it. */
  readonly host: string | undefined;
  /** Its token opens only the gateway: it must not be told of other ways in. */
  readonly hasToken: boolean;
  readonly handlers: HostHandlers;
  readonly progressToken: RpcId | undefined;
  /** Undefined: not set; the host gets what the server sends by default. */
  readonly logLevel: string | undefined;
  readonly wantsLogs: boolean;
  readonly meta: JsonObject | undefined;
  readonly followsTasks: boolean;
  readonly tasks: HostTasks;
  /** Later requests of the host take over its token and level. */
  readonly inRounds: boolean;
  /** Answers to a server that asked in an earlier result, and its state. */
  readonly inputs: JsonObject | undefined;
  notify(method: string, params: JsonObject): void;
  /** The host still gets an answer. */
  abort(reason: Error): void;
}

export const methodOf: Readonly<Record<HostRequestKind, string>> = {
  elicitation: 'elicitation/create',
  sampling: 'sampling/createMessage',
  roots: 'roots/list',
};

const KINDS: readonly HostRequestKind[] = ['elicitation', 'sampling', 'roots'];
const META = 'io.modelcontextprotocol/';

export function handlersFor(
  capabilities: JsonObject,
  tasks: HostTasks,
  ask: (request: HostRequest, signal: AbortSignal) => Promise<JsonObject>,
  pageDone?: (elicitationId: string) => void,
): HostHandlers {
  const kinds = answersOf(capabilities);
  // Most hosts answer nothing, and every request comes here.
  if (kinds.length === 0) return { capabilities };
  const handler: HostHandler = async (request, { signal }) => {
    const { server, params } = request;
    return tasks.related(
      server,
      await ask({ ...request, params: tasks.showRelated(server, params) }, signal),
    );
  };
  const asked = Object.fromEntries(kinds.map((kind) => [kind, handler]));
  return { ...asked, capabilities, ...(pageDone ? { pageDone } : {}) };
}

/** Cached: the same declaration comes with every request. */
export function answersOf(capabilities: JsonObject): readonly HostRequestKind[] {
  const known = answers.get(capabilities);
  if (known) return known;
  const kinds = KINDS.filter((kind) => isObject(capabilities[kind]));
  answers.set(capabilities, kinds);
  return kinds;
}

const answers = new WeakMap<JsonObject, readonly HostRequestKind[]>();

/** A bare `elicitation` means forms. */
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
  return isRpcId(token) ? token : undefined;
}

/** Without fields of the link between the host and us. */
export function passedMeta(meta: JsonObject): JsonObject | undefined {
  let passed: [string, Json | undefined][] | undefined;
  for (const key in meta) {
    if (key !== 'progressToken' && !key.startsWith(META)) (passed ??= []).push([key, meta[key]]);
  }
  // Unlike an assignment, this makes an own field of __proto__.
  return passed && Object.fromEntries(passed);
}

/** Fields of a request that we do not know: the server may. */
export function unknownFields(params: JsonObject): JsonObject | undefined {
  let unknown: [string, Json | undefined][] | undefined;
  for (const key in params) if (!KNOWN.has(key)) (unknown ??= []).push([key, params[key]]);
  return unknown && Object.fromEntries(unknown);
}

/** A task is asked for in the form of the server's own era. */
const KNOWN: ReadonlySet<string> = new Set(
  'name arguments uri ref argument context cursor task taskId requestState inputResponses _meta'.split(' '),
);

const NONE: JsonObject = {};

/** Interns the capabilities that come with every request, so that derived values are cached too. */
export class Declared {
  readonly #known = new Map<string, JsonObject>();

  of(capabilities: unknown): JsonObject {
    if (!isObject(capabilities)) return NONE;
    const text = JSON.stringify(capabilities);
    if (text === '{}') return NONE;
    const given = capabilities as JsonObject; // it came as JSON
    if (text.length > CHARS_KEPT_MAX) return given;
    const known = this.#known.get(text);
    if (known) return known;
    // One per kind of host; a flood of new ones must not stay.
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    this.#known.set(text, given);
    return given;
  }
}

const KNOWN_MAX = 256;
const CHARS_KEPT_MAX = 4_000;
