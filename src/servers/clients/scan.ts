import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ErrorView } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { limits } from '../../base/limits.ts';
import type { ServerDefinition, Source } from '../definition.ts';
import type { Client, ClientName, ClientScope, Machine } from './client.ts';
import { clientNamed } from './clients.ts';
import { readClientText, type ClientText } from './client-text.ts';
import type { Document, KeyPath, ParsedDocument, Syntax } from './documents/document.ts';
import { parseText } from './documents/parse.ts';
import { entriesOf, type FoundEntry } from './entries.ts';
import { findClients, wantedClients, type ClientFile, type FindOptions } from './find.ts';
import { groupDuplicates, sameness, type Duplicates } from './duplicates.ts';
import { isOurs } from './our-entry.ts';
import { findMistakes, wrongKeys, type NearMiss } from './near-misses.ts';
import { takeKeys, type PlaintextKey } from './plaintext-keys.ts';
import { readEntry } from './read-entry.ts';

export interface ImportedServer {
  readonly ref: string;
  /** Plain-text keys are replaced by vault references; see `keys`. */
  readonly definition: ServerDefinition;
  readonly keys: readonly PlaintextKey[];
  readonly client: ClientName;
  readonly scope: ClientScope;
  readonly file: string;
  readonly syntax: Syntax;
  readonly path: KeyPath;
  readonly workspace?: string;
  readonly line?: number;
  readonly fingerprint: string;
  readonly warnings: readonly string[];
}

export interface ScanProblem {
  readonly client: ClientName;
  readonly file: string;
  readonly server?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  readonly error?: ErrorView;
}

/** All that other clients know; no key in it is readable. */
export interface ImportScan {
  readonly files: readonly ClientFile[];
  readonly found: readonly ImportedServer[];
  readonly duplicates: readonly Duplicates[];
  readonly secrets: readonly {
    readonly ref: string;
    readonly file: string;
    readonly where: string;
    readonly name: string;
  }[];
  readonly nearMisses: readonly NearMiss[];
  readonly problems: readonly ScanProblem[];
}

/** A bad file or entry is reported, and doesn't stop the rest. */
export async function readClients(options: FindOptions): Promise<ImportScan> {
  const files = await findClients(options);
  const scan = new Scan(options);
  for (const file of files) await scan.read(file);
  const found = scan.found;
  return {
    files,
    found,
    duplicates: groupDuplicates(found),
    secrets: found.flatMap(({ ref, file, keys }) =>
      keys.map(({ name, where }) => ({ ref, file, where, name })),
    ),
    nearMisses: [...scan.nearMisses, ...(await findMistakes(wantedClients(options), options, files))],
    problems: scan.problems,
  };
}

type Parsed = ParsedDocument | Exclude<ClientText, { kind: 'ok' }>;

class Scan {
  readonly found: ImportedServer[] = [];
  readonly problems: ScanProblem[] = [];
  readonly nearMisses: NearMiss[] = [];
  readonly #machine: Machine;
  /** Real paths that were read, with their containers. */
  readonly #read = new Set<string>();
  readonly #refs = new Set<string>();
  #last: { readonly path: string; readonly parsed: Parsed } | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async read(file: ClientFile): Promise<void> {
    const client = clientNamed(file.client);
    const real = await realpath(file.path).catch(() => file.path);
    // Two clients may share a file, and one file may hold several scopes.
    if (!this.#once(`${real}\n${file.container.join('\n')}`)) return;
    const parsed = await this.#parse(file);
    if (parsed.kind === 'missing') return;
    if (parsed.kind === 'unreadable') {
      if (this.#once(real)) this.#problem(file, `${file.path} cannot be read: ${parsed.reason}.`);
      return;
    }
    if (parsed.kind === 'malformed') {
      const { line, column, reason } = parsed;
      const message = `${file.path}, line ${line}, column ${column}: ${reason}.`;
      if (this.#once(real))
        this.problems.push({ client: client.name, file: file.path, line, column, message });
      return;
    }
    this.#entries(client, file, parsed.document);
    if (this.#once(`${client.name}\n${real}`))
      this.nearMisses.push(...wrongKeys(client, file, this.#machine, parsed.document));
  }

  /** The scopes of one file follow each other: it is parsed once. */
  async #parse({ path, syntax }: ClientFile): Promise<Parsed> {
    if (this.#last?.path !== path) {
      const read = await readClientText(path);
      this.#last = { path, parsed: read.kind === 'ok' ? parseText(syntax, read.text) : read };
    }
    return this.#last.parsed;
  }

  #entries(client: Client, file: ClientFile, document: Document): void {
    const entries = entriesOf(document, file, client);
    for (const entry of entries.slice(0, limits.configServersMax)) this.#entry(client, file, document, entry);
    if (entries.length > limits.configServersMax) {
      this.#problem(
        file,
        `${file.path} names more than ${limits.configServersMax} servers; the rest is left out.`,
      );
    }
  }

  #entry(
    client: Client,
    file: ClientFile,
    document: Document,
    { key, value, path, project, off }: FoundEntry,
  ): void {
    // Our own gateway, written by “plug connect”: importing it would connect us to ourselves.
    if (isOurs(value)) return;
    const position = document.position(path);
    const inputs = document.value(['inputs']);
    const source: Source = { kind: 'import', name: client.name, file: file.path, ...authorOf(file) };
    const workspace = project ?? (file.scope === 'project' ? workspaceOf(file, this.#machine) : undefined);
    const outcome = readEntry(client, value, {
      key,
      source,
      home: this.#machine.home,
      inputs: Array.isArray(inputs) ? inputs.filter((input): input is JsonObject => isObject(input)) : [],
      ...(workspace === undefined ? {} : { workspace }),
      ...position,
    });
    if (outcome.kind === 'error') {
      const { error } = outcome;
      this.problems.push({
        client: client.name,
        file: file.path,
        server: key,
        ...position,
        message: error.message,
        error,
      });
      return;
    }
    this.found.push({
      ref: this.#ref(`${client.name}:${file.scope}:${outcome.definition.id}`),
      ...takeKeys({ ...outcome.definition, enabled: outcome.definition.enabled && !off }),
      client: client.name,
      scope: file.scope,
      file: file.path,
      syntax: file.syntax,
      path,
      ...(workspace === undefined ? {} : { workspace }),
      ...(position ? { line: position.line } : {}),
      fingerprint: sameness(outcome.definition),
      warnings: outcome.warnings,
    });
  }

  #problem({ client, path }: ClientFile, message: string): void {
    this.problems.push({ client, file: path, message });
  }

  #once(what: string): boolean {
    if (this.#read.has(what)) return false;
    this.#read.add(what);
    return true;
  }

  #ref(wanted: string): string {
    let ref = wanted;
    for (let count = 2; this.#refs.has(ref); count += 1) ref = `${wanted}:${count}`;
    this.#refs.add(ref);
    return ref;
  }
}

/** Project and container files come with a repository: others write them. */
function authorOf({ scope }: ClientFile): Pick<Source, 'author'> {
  return scope === 'project' || scope === 'devcontainer' ? {} : { author: 'user' };
}

/** In the project's folder, or in the client's folder inside it. */
function workspaceOf(file: ClientFile, { cwd }: Machine): string {
  return file.path.startsWith(cwd) ? cwd : dirname(file.path);
}
