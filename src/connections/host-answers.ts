import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import { serverFailure } from './failures.ts';
import type { HostHandlers, HostRequest, HostRequestKind, ServerRound } from './host.ts';
import { presentQuestion } from './present-question.ts';
import { RpcError } from './rpc-error.ts';

const KIND_OF: Readonly<Record<string, HostRequestKind>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

export function hostRequestKind(method: string): HostRequestKind | undefined {
  return Object.hasOwn(KIND_OF, method) ? KIND_OF[method] : undefined;
}

/** So that every host sees the same tools (decisions/2026-11-16-declare-all-on-legacy-links.md). */
export const EVERYTHING: JsonObject = {
  elicitation: { form: { applyDefaults: true }, url: {} },
  sampling: {},
  roots: { listChanged: true },
};

/** We handle tasks ourselves, for hosts that know nothing of them. */
const EXTENSIONS: JsonObject = { 'io.modelcontextprotocol/tasks': {} };

/** Declares what the host can answer: in its own words, if it has declared itself. */
export function declareHost(handlers: HostHandlers): JsonObject {
  const { capabilities } = handlers;
  if (capabilities)
    return Object.fromEntries(Object.entries(capabilities).filter(([name]) => PASSED.has(name)));
  return {
    ...(handlers.elicitation ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    ...(handlers.sampling ? { sampling: {} } : {}),
    ...(handlers.roots ? { roots: {} } : {}),
    extensions: EXTENSIONS,
  };
}

/** To legacy servers, on a connection that one host has for itself. */
export function declareOwn({ capabilities, ...handlers }: HostHandlers, hasFolder: boolean): JsonObject {
  if (capabilities)
    return Object.fromEntries(
      Object.entries(capabilities).filter(([name]) => Object.hasOwn(EVERYTHING, name)),
    );
  const given = Object.entries(EVERYTHING).filter(
    ([name]) => Object.hasOwn(handlers, name) || (name === 'roots' && hasFolder),
  );
  return Object.fromEntries(given);
}

/** Other capabilities of a host are between it and us. */
const PASSED: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots', 'extensions']);

/** For requests that no host has made, such as lists. */
export function declareAll(): JsonObject {
  return { ...EVERYTHING, extensions: EXTENSIONS };
}

/** A host may show forms alone, or pages alone; a bare `elicitation` means forms. */
export function showsQuestion(capabilities: JsonObject, { params }: Pick<HostRequest, 'params'>): boolean {
  const declared = capabilities['elicitation'];
  if (!isObject(declared)) return false;
  if (params['mode'] === 'url') return isObject(declared['url']);
  return isObject(declared['form']) || !isObject(declared['url']);
}

export async function askHost(
  handlers: HostHandlers,
  request: {
    readonly server: string;
    readonly method: string;
    readonly params: JsonObject;
    readonly key?: string;
    readonly round?: ServerRound | undefined;
  },
  signal: AbortSignal,
): Promise<JsonObject> {
  const { server, key, round } = request;
  const kind = hostRequestKind(request.method);
  const handler = kind && handlers[kind];
  if (!kind || !handler) {
    throw serverFailure('unsupported', server, `This host does not answer ${request.method}.`);
  }
  const presented = presentQuestion(kind, server, request.params);
  if (presented.kind === 'answer') return presented.answer;
  const own = key === undefined || !OWN_KEY.test(key) ? {} : { key };
  const asked = { server, kind, params: presented.params, ...own, ...(round ? { round } : {}) };
  const answer = await handler(asked, { signal }).catch((error: unknown) => {
    throw error instanceof RpcError ? refusedByHost(server, error) : error;
  });
  return kind === 'elicitation' ? withDefaults(request.params, answer) : answer;
}

/** A legacy server is told the host's own error; in a round nobody could be, and the call fails with it. */
function refusedByHost(server: string, error: RpcError): PlugError {
  const message = `The host refused a question of ${server}: ${error.message}`;
  return new PlugError('unavailable', message, { owner: 'you', server, cause: error });
}

/** Hosts may show a server's key for a question. The one for approvals is ours. */
const OWN_KEY = /^(?!approval$)[\w.-]{1,64}$/;

/** An accepted form carries the schema's default for every field that the person left out. */
function withDefaults(params: JsonObject, answer: JsonObject): JsonObject {
  const schema = params['requestedSchema'];
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (answer['action'] !== 'accept' || !isObject(properties)) return answer;
  const content: Record<string, unknown> = isObject(answer['content']) ? { ...answer['content'] } : {};
  for (const [name, property] of Object.entries(properties)) {
    const preset = isObject(property) ? property['default'] : undefined;
    if (preset !== undefined && !Object.hasOwn(content, name)) content[name] = preset;
  }
  // Both halves were JSON, so the union of them is.
  return { ...answer, content: content as JsonObject };
}
