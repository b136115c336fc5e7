import { stat } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ServerDefinition } from '../definition.ts';
import { clientNamed } from './clients.ts';
import { readClientText, stampOf } from './client-text.ts';
import type { Document, KeyPath, Syntax } from './documents/document.ts';
import { parseText } from './documents/parse.ts';
import { sameness } from './duplicates.ts';
import { readEntry } from './read-entry.ts';
import type { ImportedServer } from './scan.ts';

/** Where a followed server really stands; kept in the definition's `extra.follow`. */
interface Pointer {
  readonly client: string;
  readonly file: string;
  readonly syntax: Syntax;
  readonly path: readonly string[];
  readonly workspace?: string;
  readonly key: string;
  /** For a project's file: what the user agreed to. Others can write such a file. */
  readonly pinned?: string;
}

/** A definition that points at the client's file. What it shows is how the entry read just now. */
export function followFrom(server: ImportedServer): ServerDefinition {
  const { definition, client, file, syntax, path, workspace, scope, fingerprint } = server;
  const own = scope === 'user' || scope === 'local' || scope === 'managed';
  const follow: JsonObject = {
    client,
    file,
    syntax,
    path,
    ...(workspace === undefined ? {} : { workspace }),
    key: definition.name,
    ...(own ? {} : { pinned: fingerprint }),
  };
  return { ...definition, extra: { ...definition.extra, follow } };
}

export function isFollowed(definition: ServerDefinition): boolean {
  return pointerOf(definition) !== undefined;
}

/** Reads followed entries when a server starts, and each file again only when it was written. */
export class FollowedFiles {
  readonly #clock: Clock;
  readonly #home: string;
  readonly #known = new Map<string, Known>();

  constructor(options: { readonly clock: Clock; readonly home: string }) {
    this.#clock = options.clock;
    this.#home = options.home;
  }

  /** The definition as the client's file has it now; any other definition comes back as it is. */
  async resolve(definition: ServerDefinition): Promise<ServerDefinition> {
    const pointer = pointerOf(definition);
    if (!pointer) return definition;
    const client = clientNamed(pointer.client);
    const document = await this.#document(definition, pointer);
    const path = entryPath(document, pointer);
    const value = document.value(path);
    if (value === undefined) throw gone(definition, pointer, 'which does not name it any more');
    const inputs = document.value(['inputs']);
    const outcome = readEntry(client, value, {
      key: pointer.key,
      source: definition.source,
      home: this.#home,
      inputs: Array.isArray(inputs) ? inputs.filter((input): input is JsonObject => isObject(input)) : [],
      ...(pointer.workspace === undefined ? {} : { workspace: pointer.workspace }),
      ...document.position(path),
    });
    if (outcome.kind === 'error') throw PlugError.fromView({ ...outcome.error, server: definition.id });
    const fresh = outcome.definition;
    if (pointer.pinned !== undefined && pointer.pinned !== sameness(fresh))
      throw changed(definition, pointer);
    const { endpoint, timeouts, tools } = fresh;
    return { ...definition, endpoint, timeouts, tools, enabled: definition.enabled && fresh.enabled };
  }

  async #document(definition: ServerDefinition, pointer: Pointer): Promise<Document> {
    const { file } = pointer;
    const known = this.#known.get(file);
    if (known?.settled && (await stampNow(file)) === known.stamp) return known.document;
    const read = await readClientText(file);
    if (read.kind === 'missing') {
      this.#known.delete(file);
      throw gone(definition, pointer, 'which is gone');
    }
    if (read.kind === 'unreadable') throw gone(definition, pointer, `which cannot be read: ${read.reason}`);
    const parsed = parseText(pointer.syntax, read.text);
    if (parsed.kind === 'malformed') {
      // A typing mistake must not stop a server that has started before.
      if (known) return known.document;
      throw gone(
        definition,
        pointer,
        `which is broken in line ${parsed.line}, column ${parsed.column}: ${parsed.reason}`,
      );
    }
    // A file written just now may be written again without a visible change of its stamp.
    const settled = this.#clock.now() - read.modifiedMs > limits.configFreshMs;
    this.#known.set(file, { stamp: read.stamp, settled, document: parsed.document });
    return parsed.document;
  }
}

/** In a list the entry is known by its name: others may have come before it. */
function entryPath(document: Document, { path, key }: Pointer): KeyPath {
  const list = document.value(path.slice(0, -1));
  if (!Array.isArray(list)) return path;
  const index = list.findIndex((item: unknown) => isObject(item) && item['name'] === key);
  return [...path.slice(0, -1), String(index)];
}

interface Known {
  readonly stamp: string;
  readonly settled: boolean;
  readonly document: Document;
}

async function stampNow(file: string): Promise<string | undefined> {
  try {
    return stampOf(await stat(file, { bigint: true }));
  } catch {
    return undefined;
  }
}

const SYNTAXES: readonly Syntax[] = ['json', 'yaml', 'toml'];

function pointerOf({ extra }: ServerDefinition): Pointer | undefined {
  const follow = extra['follow'];
  if (!isObject(follow)) return undefined;
  const { client, file, path, key, pinned, workspace } = follow;
  const syntax = SYNTAXES.find((known) => known === follow['syntax']);
  if (typeof client !== 'string' || typeof file !== 'string' || typeof key !== 'string') return undefined;
  if (!Array.isArray(path) || !path.every((step) => typeof step === 'string')) return undefined;
  if (syntax === undefined) return undefined;
  const project = typeof workspace === 'string' ? { workspace } : {};
  return { client, file, syntax, path, key, ...project, ...(typeof pinned === 'string' ? { pinned } : {}) };
}

function gone({ id }: ServerDefinition, { file }: Pointer, what: string): PlugError {
  return new PlugError('bad_config', `“${id}” follows ${file}, ${what}.`, {
    owner: 'you',
    server: id,
    next: `Correct the file, or run: plug remove ${id}`,
    details: { file },
  });
}

function changed({ id }: ServerDefinition, { file, client }: Pointer): PlugError {
  return new PlugError('untrusted', `“${id}” has changed in ${file} since you imported it.`, {
    owner: 'you',
    server: id,
    next: `plug remove ${id}, then plug import ${client} --follow`,
    details: { file },
  });
}
