import { freeName, takeKeys, type PlaintextKey } from './plaintext-keys.ts';
import { defined } from '../../base/defined.ts';
import { inputsOf, entriesOf, type FoundEntry } from './entries.ts';
import { isJsonObject } from './entry-fields.ts';
import { sampleFields } from './sample-values.ts';
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ErrorView } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { ServerDefinition, Source } from '../definition.ts';
import type { Client, ClientName, ClientScope, EntryAddress, Machine, OffFile } from './client.ts';
import { withClientVariables } from './client-variables.ts';
import { clientNamed } from './clients.ts';
import { readClientText, type ClientText } from './client-text.ts';
import type { Document, KeyPath, ParsedDocument, Syntax } from './documents/document.ts';
import { parseText } from './documents/parse.ts';
import { findClients, wantedClients, type ClientFile, type FindOptions } from './find.ts';
import { groupDuplicates, sameness, type Duplicates } from './duplicates.ts';
import { isOurs } from './our-entry.ts';
import { findMistakes, wrongKeys, type NearMiss } from './near-misses.ts';
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
  readonly leftOut: readonly LeftOut[];
}

/** An entry that only its own client can use. */
export interface LeftOut {
  readonly client: ClientName;
  readonly file: string;
  readonly server: string;
  readonly line?: number;
  readonly why: string;
}

/** A bad file or entry is reported, and doesn't stop the rest. */
export async function readClients(options: FindOptions): Promise<ImportScan> {
  const files = await findClients(options);
  const scan = new Scan(options);
  for (const file of files) await scan.read(file);
  const { found, problems, leftOut } = scan;
  return {
    files,
    found,
    duplicates: groupDuplicates(found),
    secrets: found.flatMap(({ ref, file, keys }) =>
      keys.map(({ name, where }) => ({ ref, file, where, name })),
    ),
    nearMisses: [...scan.nearMisses, ...(await findMistakes(wantedClients(options), options, files))],
    problems,
    leftOut,
  };
}

type IsOff = (entry: EntryAddress) => boolean;

interface FileContent {
  readonly document: Document;
  readonly isOff: IsOff;
}

type Parsed = ParsedDocument | Exclude<ClientText, { kind: 'ok' }>;

class Scan {
  readonly found: ImportedServer[] = [];
  readonly problems: ScanProblem[] = [];
  readonly nearMisses: NearMiss[] = [];
  readonly leftOut: LeftOut[] = [];
  readonly #machine: Machine;
  /** Real paths that were read, with their containers. */
  readonly #read = new Set<string>();
  readonly #refs = new Set<string>();
  readonly #switches = new Map<ClientName, IsOff>();
  #last: { readonly path: string; readonly parsed: Parsed } | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  async read(file: ClientFile): Promise<void> {
    const client = clientNamed(file.client);
    const { path } = file;
    const real = await realpath(path).catch(() => path);
    // Two clients may share a file, and one file may hold several scopes.
    if (!this.#once(`${real}\n${file.container.join('\n')}`)) return;
    const parsed = await this.#parse(file);
    if (parsed.kind === 'missing') return;
    if (parsed.kind === 'ok') {
      this.#entries(client, file, { document: parsed.document, isOff: await this.#switchesOf(client) });
      if (this.#once(`${client.name}\n${real}`))
        this.nearMisses.push(...wrongKeys(client, file, this.#machine, parsed.document));
    } else if (this.#once(real)) {
      const { kind, reason, ...at } = parsed;
      const message =
        kind === 'unreadable'
          ? `${path} cannot be read: ${reason}.`
          : `${path}, line ${parsed.line}, column ${parsed.column}: ${reason}.`;
      this.problems.push({ client: client.name, file: path, ...at, message });
    }
  }

  /** The scopes of one file follow each other: it is parsed once. */
  async #parse({ path, syntax }: ClientFile): Promise<Parsed> {
    if (this.#last?.path !== path) {
      const read = await readClientText(path);
      this.#last = { path, parsed: read.kind === 'ok' ? parseText(syntax, read.text) : read };
    }
    return this.#last.parsed;
  }

  /** A file of switches that can't be read switches nothing off, as in its client. */
  async #switchesOf(client: Client): Promise<IsOff> {
    const known = this.#switches.get(client.name);
    if (known) return known;
    const files: { readonly content: unknown; readonly isOff: OffFile['isOff'] }[] = [];
    for (const { path, isOff } of client.offFiles?.(this.#machine) ?? []) {
      const read = await readClientText(path);
      const parsed = read.kind === 'ok' ? parseText('json', read.text) : undefined;
      if (parsed?.kind === 'ok') files.push({ content: parsed.document.value([]), isOff });
    }
    const all: IsOff = (entry) => files.some(({ content, isOff }) => isOff(content, entry));
    this.#switches.set(client.name, all);
    return all;
  }

  #entries(client: Client, file: ClientFile, content: FileContent): void {
    const entries = entriesOf(content.document, file, client);
    for (const entry of entries.slice(0, limits.configServersMax)) this.#entry(client, file, content, entry);
    if (entries.length <= limits.configServersMax) return;
    const message = `${file.path} names more than ${limits.configServersMax} servers; the rest is left out.`;
    this.problems.push({ client: file.client, file: file.path, message });
  }

  #entry(client: Client, place: ClientFile, { document, isOff }: FileContent, entry: FoundEntry): void {
    const { key, value, path, project, leftOut: why } = entry;
    // Our own gateway, written by “plug connect”: importing it would connect us to ourselves.
    if (isOurs(value)) return;
    const { path: file, scope, syntax } = place;
    const position = document.position(path);
    const at = { client: client.name, file, server: key, ...position };
    if (why !== undefined) {
      this.leftOut.push({ ...at, why });
      return;
    }
    const workspace = project ?? (scope === 'project' ? workspaceOf(place, this.#machine) : undefined);
    const address: EntryAddress = { key, scope, file, ...defined({ project, workspace }) };
    const outcome = readEntry(client, withClientVariables(client, value, address), {
      key,
      source: { kind: 'import', name: client.name, file, ...authorOf(place) },
      home: this.#machine.home,
      inputs: inputsOf(document),
      ...defined({ workspace }),
      ...position,
    });
    if (outcome.kind === 'error') {
      const { error } = outcome;
      this.problems.push({ ...at, message: error.message, error });
      return;
    }
    const notes = isJsonObject(value) ? (client.notes?.(value) ?? []) : [];
    const { definition } = outcome;
    const samples = sampleFields(definition, value, inputsOf(document)).map(
      (field) => `${field} holds a sample value; Plugboard asks for the real one.`,
    );
    this.found.push({
      ref: this.#ref(`${client.name}:${scope}:${definition.id}`),
      ...takeKeys({ ...definition, enabled: definition.enabled && !isOff(address) }),
      client: client.name,
      scope,
      file,
      syntax,
      path,
      ...defined({ workspace, line: position?.line }),
      fingerprint: sameness(definition),
      warnings: [...outcome.warnings, ...notes, ...samples],
    });
  }

  #once(what: string): boolean {
    if (this.#read.has(what)) return false;
    this.#read.add(what);
    return true;
  }

  #ref(wanted: string): string {
    const ref = freeName(wanted, (name) => this.#refs.has(name), ':');
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
