import { PlugError } from '../../base/errors.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { isJsonObject, withoutField } from '../clients/entry-fields.ts';
import { plainText, wrong } from './checks.ts';
import { splitPair } from './pairs.ts';
import { namesOf, type Becomes } from './table.ts';

/** Reads the fields of one entry; those never taken are kept. */
export class RawEntry {
  readonly notes: string[] = [];
  readonly #raw: JsonObject;
  readonly #strict: boolean;
  readonly #taken = new Set<string>();

  /** Strict: a wrong field fails the entry. Else it is kept without effect, and said. */
  constructor(raw: JsonObject, strict: boolean) {
    this.#raw = flatten(raw);
    this.#strict = strict;
  }

  /** The first name with a value counts; null is no value. */
  read<T>(names: readonly string[], parse: (value: Json, path: string) => T): T | undefined {
    for (const name of names) {
      const value = this.peek(name);
      if (value === undefined) continue;
      try {
        const parsed = parse(value, name);
        this.#taken.add(name);
        return parsed;
      } catch (error) {
        if (this.#strict || !(error instanceof PlugError)) throw error;
        this.notes.push(`${error.message.slice(0, -1)}; it has no effect.`);
      }
    }
    return undefined;
  }

  field<T>(field: Becomes, parse: (value: Json, path: string) => T): T | undefined {
    return this.read(namesOf(field), parse);
  }

  first(field: Becomes): Json | undefined {
    return namesOf(field)
      .map((name) => this.peek(name))
      .find((value) => value !== undefined);
  }

  peek(name: string): Json | undefined {
    return fieldAt(this.#raw, name) ?? undefined;
  }

  take(name: string): void {
    this.#taken.add(name);
  }

  names(): readonly string[] {
    return Object.keys(this.#raw);
  }

  rest(): JsonObject {
    let left = this.#raw;
    for (const name of this.#taken) left = withoutField(left, name);
    return left;
  }

  /** A map of texts, or a list of `NAME=value`. */
  record(value: Json, path: string): Readonly<Record<string, string>> {
    if (Array.isArray(value)) {
      const pairs = value.filter((item): item is string => typeof item === 'string' && item.includes('='));
      if (pairs.length < value.length && this.#strict) return wrong(path, 'an object, {"name": …}', value);
      return Object.fromEntries(pairs.map((pair) => splitPair(pair, '=')));
    }
    if (!isObject(value)) return wrong(path, 'an object, {"name": …}', value);
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => {
        if (item === null || item === undefined) return [key, ''];
        if (typeof item === 'object' && !this.#strict) return [key, JSON.stringify(item)];
        return [key, plainText(item, `${path}.${key}`)];
      }),
    );
  }
}

function fieldAt(object: JsonObject, name: string): Json | undefined | null {
  const [head = '', ...tail] = name.split('.');
  const value = Object.hasOwn(object, head) ? object[head] : undefined;
  if (tail.length === 0) return value;
  return isJsonObject(value) ? fieldAt(value, tail.join('.')) : undefined;
}

/** Objects that some clients put around the endpoint's fields. */
const WRAPPERS =
  'transport config config_template server mcp_config mcpConfig serverConfig server_config connection customParams'.split(
    ' ',
  );

/** Fields of wrapper objects count as the entry's own, unless it has them itself. */
function flatten(raw: JsonObject): JsonObject {
  let fields = raw;
  for (const wrapper of WRAPPERS) {
    const inner = fieldAt(fields, wrapper);
    if (!isJsonObject(inner) || !holdsEndpoint(inner)) continue;
    const { [wrapper]: _inner, ...others } = fields;
    fields = { ...inner, ...others };
  }
  const command = fieldAt(fields, 'command');
  // Zed's older form: `"command": {"path", "args", "env"}`.
  if (!isJsonObject(command)) return fields;
  const { command: _command, ...others } = fields;
  const { path, command: inner, ...rest } = command;
  return { ...others, ...rest, command: path ?? inner };
}

function holdsEndpoint(inner: JsonObject): boolean {
  return [...namesOf('command'), ...namesOf('url'), 'type'].some((name) => Object.hasOwn(inner, name));
}
