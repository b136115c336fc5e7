import { defined } from '../../base/defined.ts';
import { inputsOf } from './entries.ts';
import type { Clock } from '../../base/clock.ts';
import { PlugError } from '../../base/errors.ts';
import { isObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { Remedy } from '../../base/remedy.ts';
import { exactShellWord } from '../../base/shell-words.ts';
import type { FollowedEntry, ServerDefinition } from '../definition.ts';
import { stampFile } from '../text-file.ts';
import { clientNamed } from './clients.ts';
import { readClientText } from './client-text.ts';
import { withClientVariables } from './client-variables.ts';
import type { Document, KeyPath } from './documents/document.ts';
import { parseText } from './documents/parse.ts';
import { sameness } from './duplicates.ts';
import { readEntry } from './read-entry.ts';
import type { ImportedServer } from './scan.ts';

/** A definition that points at the client's file, with the entry as it reads now. */
export function followFrom(server: ImportedServer): ServerDefinition {
  const { definition, client, file, syntax, path, workspace, scope, fingerprint } = server;
  const pinned = scope === 'project' || scope === 'devcontainer' ? fingerprint : undefined;
  const entry = definition.name;
  const at = { client, file, syntax, path, ...defined({ workspace }) };
  return { ...definition, follow: { ...at, entry, ...defined({ pinned }) } };
}

/** Reads followed entries when a server starts; a file is read again only after a change. */
export class FollowedFiles {
  readonly #clock: Clock;
  readonly #home: string;
  readonly #known = new Map<string, { stamp: string; settled: boolean; document: Document }>();

  constructor(options: { readonly clock: Clock; readonly home: string }) {
    this.#clock = options.clock;
    this.#home = options.home;
  }

  async resolve(definition: ServerDefinition): Promise<ServerDefinition> {
    const { follow } = definition;
    if (!follow) return definition;
    const client = clientNamed(follow.client);
    const document = await this.#document(definition, follow);
    const path = entryPath(document, follow);
    const value = document.value(path);
    if (value === undefined)
      throw gone(definition, follow, 'which no longer has this entry', {
        do: 'say',
        text: `Add the entry again, or remove the server.`,
      });
    const { file, workspace } = follow;
    const address = { key: follow.entry, scope: 'user', file, ...defined({ workspace }) } as const;
    const outcome = readEntry(client, withClientVariables(client, value, address), {
      key: follow.entry,
      source: definition.source,
      home: this.#home,
      inputs: inputsOf(document),
      ...defined({ workspace: follow.workspace }),
      ...document.position(path),
    });
    if (outcome.kind === 'error') throw PlugError.fromView({ ...outcome.error, server: definition.id });
    const { definition: fresh } = outcome;
    if (follow.pinned !== undefined && follow.pinned !== sameness(fresh)) throw changed(definition, follow);
    const { endpoint, timeouts, tools } = fresh;
    return { ...definition, endpoint, timeouts, tools, enabled: definition.enabled && fresh.enabled };
  }

  async #document(definition: ServerDefinition, follow: FollowedEntry): Promise<Document> {
    const { file } = follow;
    const known = this.#known.get(file);
    if (known?.settled && (await stampFile(file))?.text === known.stamp) return known.document;
    const read = await readClientText(file);
    if (read.kind === 'missing') {
      this.#known.delete(file);
      const text = `Bring ${file} back, or remove the server.`;
      throw gone(definition, follow, 'which is gone', { do: 'say', text });
    }
    if (read.kind === 'unreadable') {
      const line = `ls -l ${exactShellWord(file) ?? file}`;
      throw gone(definition, follow, `which cannot be read: ${read.reason}`, { do: 'run', line });
    }
    const parsed = parseText(follow.syntax, read.text);
    if (parsed.kind === 'malformed') {
      // A typo must not stop a server that started before.
      if (known) return known.document;
      const { line, column, reason } = parsed;
      const text = `Correct line ${line} of ${file} and save it.`;
      const what = `which is broken in line ${line}, column ${column}: ${reason}`;
      throw gone(definition, follow, what, { do: 'say', text });
    }
    const { document } = parsed;
    // A file written just now may change again without a new stamp.
    const settled = this.#clock.now() - read.modifiedMs > limits.configFreshMs;
    this.#known.set(file, { stamp: read.stamp, settled, document });
    return document;
  }
}

/** In a list the entry is found by name: its index may have moved. */
function entryPath(document: Document, { path, entry }: FollowedEntry): KeyPath {
  const list = document.value(path.slice(0, -1));
  if (!Array.isArray(list)) return path;
  const index = list.findIndex((item: unknown) => isObject(item) && item['name'] === entry);
  return [...path.slice(0, -1), String(index)];
}

function gone({ id }: ServerDefinition, { file }: FollowedEntry, what: string, remedy: Remedy): PlugError {
  return new PlugError('bad_config', `“${id}” follows ${file}, ${what}.`, {
    owner: 'you',
    server: id,
    remedy,
    details: { file },
  });
}

function changed({ id }: ServerDefinition, { file, client }: FollowedEntry): PlugError {
  return new PlugError('untrusted', `“${id}” has changed in ${file} since you imported it.`, {
    owner: 'you',
    server: id,
    remedy: { do: 'import-again', server: id, client },
    details: { file },
  });
}
