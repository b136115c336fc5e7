import { mapValues, type Endpoint, type ServerDefinition } from '../definition.ts';
import { Secret } from '../../base/secret.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { findPlaceholders } from '../placeholders.ts';
import { namesSecret } from '../../base/secret-names.ts';
import { isJsonObject } from './entry-fields.ts';
import { looksSecret, mayBeSecret } from '../../base/secret-shapes.ts';

/** A plain-text key in a client's file. */
export interface PlaintextKey {
  readonly name: string;
  /** `env.GITHUB_TOKEN`, `headers.Authorization`, `args[3]`, `url`. */
  readonly where: string;
  readonly value: Secret;
}

/** Puts vault references in the place of plain-text keys. */
export function takeKeys(definition: ServerDefinition): {
  readonly definition: ServerDefinition;
  readonly keys: readonly PlaintextKey[];
} {
  const taker = new KeyTaker(definition.id);
  const endpoint = taker.endpoint(definition.endpoint);
  const extra = taker.object(definition.extra, 'extra');
  return { definition: { ...definition, endpoint, extra }, keys: taker.keys };
}

class KeyTaker {
  readonly keys: PlaintextKey[] = [];
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  endpoint(endpoint: Endpoint): Endpoint {
    const record = (texts: Readonly<Record<string, string>>, field: string) =>
      mapValues(texts, (text, name) => this.#value(text, name, `${field}.${name}`));
    if (endpoint.kind !== 'stdio')
      return { ...endpoint, url: this.#url(endpoint.url), headers: record(endpoint.headers, 'headers') };
    const args = endpoint.args.map((arg, index) => this.#arg(arg, index, endpoint.args[index - 1] ?? ''));
    return { ...endpoint, args, env: record(endpoint.env, 'env') };
  }

  object(object: JsonObject, where: string): JsonObject {
    const walk = (value: Json | undefined, key: string, path: string): Json | undefined => {
      if (typeof value === 'string') return this.#value(value, key, path);
      if (Array.isArray(value))
        return value.map((item, index) => walk(item, key, `${path}[${index}]`) ?? null);
      return isJsonObject(value) ? this.object(value, path) : value;
    };
    return Object.fromEntries(
      Object.entries(object).map(([key, value]) => [key, walk(value, key, `${where}.${key}`)]),
    );
  }

  /** `--token abc`, `--token=abc`, `TOKEN=abc`, `Authorization: Bearer abc`, or a key by its shape. */
  #arg(arg: string, index: number, before: string): string {
    const where = `args[${index}]`;
    if (/^["{]/.test(arg)) return this.#json(arg, where);
    const [, head, name, value] = /^((?:--?)?([A-Za-z][\w-]*)(?:=|:\s*))([^]+)$/.exec(arg) ?? [];
    if (head !== undefined && name !== undefined && value !== undefined && !value.startsWith('//'))
      return head + this.#value(value, name, where);
    const flag = /^--?([A-Za-z][\w-]*)$/.exec(before)?.[1];
    const named = flag !== undefined && namesSecret(flag) && !arg.startsWith('-');
    return this.#value(this.#url(arg, where), flag ?? `argument-${index}`, where, named);
  }

  /** `--config '{"apiKey": "abc"}'`, perhaps written twice as a text of JSON. */
  #json(text: string, where: string): string {
    const value = parsedJson(text);
    if (typeof value === 'string') {
      const inner = this.#json(value, where);
      return inner === value ? text : JSON.stringify(inner);
    }
    if (!isJsonObject(value)) return text;
    const before = this.keys.length;
    const taken = this.object(value, where);
    return this.keys.length === before ? text : JSON.stringify(taken);
  }

  /** In the query, or in the path where each user has an own address. */
  #url(url: string, where = 'url'): string {
    if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(url)) return url;
    return url
      .replaceAll(/([?&]([^=&#]+)=)([^&#]+)/g, (_whole, head: string, name: string, value: string) =>
        head.concat(this.#value(value, name, where)),
      )
      .replaceAll(/(?<=[^/:]\/)[A-Za-z0-9_-]{20,}(?=[/?#]|$)/g, (part) =>
        looksSecret(part) ? this.#value(part, 'address', where, true) : part,
      );
  }

  #value(text: string, name: string, where: string, named = holdsSecret(name)): string {
    if (findPlaceholders(text).length > 0) return text;
    const [, scheme = '', bare = text] = /^((?:bearer|basic|token|apikey)\s+)(\S[^]*)$/i.exec(text) ?? [];
    // The vault holds the value itself, without the escape.
    const value = bare.replaceAll('$${', '${');
    if (!(named || scheme !== '' ? mayBeSecret(value) : looksSecret(value))) return text;
    const plain = `${this.#server}/${name.replaceAll(/[^A-Za-z0-9_.-]+/g, '-')}`;
    const key = freeName(plain, (taken) => this.keys.some((other) => other.name === taken));
    this.keys.push({ name: key, where, value: new Secret(value) });
    return `${scheme}\${vault:${key}}`;
  }
}

function parsedJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives
  } catch {
    return undefined;
  }
}

/** `authProviderType` and `AUTH_MODE` say how one signs in: their values are no keys, unless they look like one. */
function holdsSecret(name: string): boolean {
  return namesSecret(name) && !/(type|mode|kind|method|scheme|provider|scopes?)$/i.test(name);
}

/** The name itself, or with the first number that makes it free. */
export function freeName(wanted: string, isTaken: (name: string) => boolean, separator = '-'): string {
  let name = wanted;
  for (let count = 2; isTaken(name); count += 1) name = `${wanted}${separator}${count}`;
  return name;
}
