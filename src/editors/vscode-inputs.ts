import type { JsonObject } from '../base/json.ts';
import { findPlaceholders } from '../servers/placeholders.ts';
import type { ServerDefinition } from '../servers/definition.ts';

/** VS Code asks for values by questions that stand beside the servers. */
export function inputsOf(definition: ServerDefinition, known: unknown): readonly JsonObject[] {
  const given = Array.isArray(known) ? (known as readonly JsonObject[]) : [];
  const { endpoint } = definition;
  const texts =
    endpoint.kind === 'stdio'
      ? [endpoint.command, ...endpoint.args, ...Object.values(endpoint.env)]
      : [endpoint.url, ...Object.values(endpoint.headers)];
  const ids = texts.flatMap(findPlaceholders).flatMap(({ kind, name }) => (kind === 'input' ? [name] : []));
  const missing = [...new Set(ids)].filter((id) => !given.some((input) => input['id'] === id));
  return [...given, ...missing.map((id) => ({ type: 'promptString', id, description: id, password: true }))];
}
