import type { Json, JsonObject } from '../../base/json.ts';
import type { Endpoint, ServerDefinition } from '../definition.ts';
import type { Client } from './client.ts';
import type { TimeoutField, TextField } from './dialect.ts';
import { isJsonObject, withField } from './entry-fields.ts';
import { writeText } from './translate-text.ts';

export interface WrittenEntry {
  readonly entry: JsonObject;
  readonly warnings: readonly string[];
}

export function writeEntry(client: Client, definition: ServerDefinition): WrittenEntry {
  const writer = new Writer(client);
  const entry = writer.write(definition);
  return { entry, warnings: writer.warnings };
}

class Writer {
  readonly warnings: string[] = [];
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  write(definition: ServerDefinition): JsonObject {
    const { dialect, name } = this.#client;
    const own = definition.extra[name];
    let entry: JsonObject = this.#endpoint(this.#reachable(definition.endpoint));
    entry = this.#timeout(entry, dialect.startTimeout, definition.timeouts.startMs, 'start');
    entry = this.#timeout(entry, dialect.callTimeout, definition.timeouts.callMs, 'call');
    entry = this.#tools(entry, dialect.allowTools, definition.tools.allow, 'allowed');
    entry = this.#tools(entry, dialect.denyTools, definition.tools.deny, 'denied');
    entry = this.#switch(entry, definition.enabled);
    if (dialect.name !== undefined) entry = withField(entry, dialect.name, definition.name);
    // Fields this client wrote come back; ours are newer.
    if (isJsonObject(own)) entry = merged(own, entry);
    this.#warnOfOurs(definition);
    const after = dialect.afterWrite?.(entry);
    this.warnings.push(...(after?.warnings ?? []));
    return after?.entry ?? entry;
  }

  /** mcp-remote, for clients that can't contact URLs. */
  #reachable(endpoint: Endpoint): Endpoint {
    const { kinds } = this.#client.dialect;
    if (endpoint.kind === 'stdio' || 'http' in kinds) return endpoint;
    this.#warn('cannot contact an address itself; mcp-remote, an npm package, does it for it');
    const headers = Object.entries(endpoint.headers).flatMap(([key, value]) => [
      '--header',
      `${key}:${value}`,
    ]);
    const transport = endpoint.kind === 'sse' ? ['--transport', 'sse-only'] : [];
    const args = ['-y', 'mcp-remote', endpoint.url, ...headers, ...transport];
    return { kind: 'stdio', command: 'npx', args, env: {} };
  }

  #endpoint(endpoint: Endpoint): JsonObject {
    const { kinds, fields } = this.#client.dialect;
    const word = kinds[endpoint.kind];
    if (word === undefined)
      this.#warn(`is not known to speak “${endpoint.kind}”; it may not reach this server`);
    let entry: JsonObject = typeof word === 'string' ? { type: word } : {};
    if (endpoint.kind !== 'stdio') {
      entry = withField(entry, fields.url, this.#text(endpoint.url, 'url'));
      return this.#record(entry, 'headers', endpoint.headers);
    }
    const [command, ...args] = [
      this.#text(endpoint.command, 'command'),
      ...endpoint.args.map((arg, index) => this.#text(arg, 'args', `args[${index}]`)),
    ];
    if (fields.args === undefined) entry = withField(entry, fields.command, [command, ...args]);
    else entry = withField(withField(entry, fields.command, command), fields.args, args);
    entry = this.#record(entry, 'env', endpoint.env);
    if (endpoint.cwd === undefined) return entry;
    if (fields.cwd === undefined) this.#warn('may ignore “cwd”, the folder in which the server starts');
    return withField(entry, fields.cwd ?? 'cwd', this.#text(endpoint.cwd, 'cwd'));
  }

  #record(entry: JsonObject, field: 'env' | 'headers', texts: Readonly<Record<string, string>>): JsonObject {
    if (Object.keys(texts).length === 0) return entry;
    const written = Object.entries(texts).map(([key, text]) => [
      key,
      this.#text(text, field, `${field}.${key}`),
    ]);
    return withField(entry, this.#client.dialect.fields[field], Object.fromEntries(written) as JsonObject);
  }

  #text(ours: string, field: TextField, where: string = field): string {
    const { text, lost } = writeText(ours, this.#client.dialect.placeholders, field);
    for (const part of lost)
      this.#warn(`does not read “${part}” in ${where} as it is meant; put the value there by hand`);
    return text;
  }

  #timeout(
    entry: JsonObject,
    known: TimeoutField | undefined,
    ms: number | undefined,
    what: string,
  ): JsonObject {
    if (ms === undefined) return entry;
    if (known) return withField(entry, known.field, ms / known.unitMs);
    this.#warn(`has no place for the ${what} timeout of ${ms} ms`);
    return entry;
  }

  #tools(
    entry: JsonObject,
    field: string | undefined,
    globs: readonly string[] | undefined,
    what: string,
  ): JsonObject {
    if (!globs) return entry;
    if (field === undefined) this.#warn(`has no place for the list of ${what} tools: it will see them all`);
    else if (globs.some((glob) => /[*?[{]/.test(glob)))
      this.#warn(`takes the ${what} tools by their full name, without patterns`);
    return field === undefined ? entry : withField(entry, field, globs);
  }

  #switch(entry: JsonObject, enabled: boolean): JsonObject {
    const { off } = this.#client.dialect;
    if (enabled) return entry;
    if (off) return withField(entry, off.field, off.value);
    this.#warn('cannot switch a server off in its file: it will start this one');
    return entry;
  }

  #warnOfOurs(definition: ServerDefinition): void {
    const { extra, timeouts, config } = definition;
    const ours: readonly [string, boolean][] = [
      ['read-only mode', definition.readOnly],
      ['keep-alive', definition.keepAlive],
      ['sharing', definition.sharing !== 'auto'],
      ['the idle timeout', timeouts.idleMs !== undefined],
      ['timeouts of single tools', timeouts.toolMs !== undefined],
      ['values given for inputs', Object.keys(config).length > 0],
      ['permission for dangerous variables', definition.allowDangerousEnv !== undefined],
    ];
    for (const [what, set] of ours)
      if (set) this.#warn(`has no place for ${what}; that holds only in Plugboard`);
    for (const [field, value] of Object.entries(extra)) {
      if (field === this.#client.name) continue;
      this.#warn(`has no place for “${namesIn(field, value)}”`);
    }
  }

  #warn(what: string): void {
    this.warnings.push(`${this.#client.title} ${what}.`);
  }
}

function merged(older: JsonObject, newer: JsonObject): JsonObject {
  const both = Object.entries(newer).map(([field, value]) => {
    const before = older[field];
    return [field, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value];
  });
  return { ...older, ...(Object.fromEntries(both) as JsonObject) };
}

function namesIn(field: string, value: Json | undefined): string {
  return isJsonObject(value) ? `${field}: ${Object.keys(value).join(', ')}` : field;
}
