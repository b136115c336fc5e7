import { PlugError } from '../base/errors.ts';
import { isObject, type JsonObject } from '../base/json.ts';
import type { HostHandlers, HostRequestKind } from './host.ts';

const KIND_OF: Readonly<Record<string, HostRequestKind>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

export function hostRequestKind(method: string): HostRequestKind | undefined {
  return Object.hasOwn(KIND_OF, method) ? KIND_OF[method] : undefined;
}

/** Declares to a server just what the host can answer. */
export function declareHost(handlers: HostHandlers): JsonObject {
  return {
    ...(handlers.elicitation ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    ...(handlers.sampling ? { sampling: {} } : {}),
    ...(handlers.roots ? { roots: {} } : {}),
  };
}

/** Puts a server's question to the host and answers with the MCP result. */
export async function askHost(
  handlers: HostHandlers,
  request: { readonly server: string; readonly method: string; readonly params: JsonObject },
  signal: AbortSignal,
): Promise<JsonObject> {
  const kind = hostRequestKind(request.method);
  const handler = kind && handlers[kind];
  if (!kind || !handler) {
    throw new PlugError('unsupported', `This host does not answer ${request.method}.`, {
      owner: 'server',
      server: request.server,
    });
  }
  const answer = await handler({ server: request.server, kind, params: request.params }, { signal });
  return kind === 'elicitation' ? withDefaults(request.params, answer) : answer;
}

/** An accepted form carries the schema's default for every field that the person left out. */
function withDefaults(params: JsonObject, answer: JsonObject): JsonObject {
  const schema = params['requestedSchema'];
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (answer['action'] !== 'accept' || !isObject(properties)) return answer;
  const content: Record<string, unknown> = isObject(answer['content']) ? { ...answer['content'] } : {};
  for (const [name, property] of Object.entries(properties)) {
    if (Object.hasOwn(content, name) || !isObject(property) || property['default'] === undefined) continue;
    content[name] = property['default'];
  }
  // Both halves were JSON, so the union of them is.
  return { ...answer, content: content as JsonObject };
}
