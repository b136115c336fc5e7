import { defined } from '../base/defined.ts';
import { readableOf, type ConfigFile } from './config-file.ts';
import type { ErrorView } from '../base/errors.ts';
import type { ConfigScope } from './config-paths.ts';
import { isOurs } from './clients/our-entry.ts';
import { parseEntry, type EntryOutcome } from './config-entry.ts';
import type { ServerDefinition, Source } from './definition.ts';
import type { FileTrust, ServerOverride } from './store.ts';
import { judgeTrust, type Untrusted } from './trust.ts';

export interface ResolveOptions {
  readonly files: readonly { readonly scope: ConfigScope; readonly file: ConfigFile }[];
  readonly stored: readonly ServerDefinition[];
  readonly overrides: readonly ServerOverride[];
  readonly trust: readonly FileTrust[];
}

export interface ResolvedServer {
  /** With the user's overrides. */
  readonly definition: ServerDefinition;
  readonly shadowed: readonly Source[];
  readonly apps?: true;
  /** Present when it must not run before the user trusts it. */
  readonly untrusted?: Untrusted;
  /** A project's entry that replaces this one once trusted. */
  readonly waiting?: { readonly definition: ServerDefinition; readonly untrusted: Untrusted };
}

export interface FileReport {
  readonly path: string;
  readonly scope: ConfigScope;
  readonly outcome: ConfigFile['kind'];
  readonly servers: readonly string[];
  readonly line?: number;
  readonly column?: number;
  readonly reason?: string;
  readonly warnings: readonly string[];
}

export interface ResolvedServers {
  readonly servers: readonly ResolvedServer[];
  readonly files: readonly FileReport[];
  /** By id. The server is then not in `servers`, unless the entry is an untrusted project's. */
  readonly errors: Readonly<Record<string, ErrorView>>;
}

/** Joins files and database into one list. Pure: expands and contacts nothing. */
export function resolveServers(options: ResolveOptions): ResolvedServers {
  const found = options.files.map(({ scope, file }) => ({ scope, file, entries: readEntries(file, scope) }));
  const resolution = new Precedence(options.trust);
  for (const { entries } of found) for (const entry of entries) resolution.addEntry(entry);
  for (const definition of options.stored) resolution.offer({ definition });
  const overrides = new Map(options.overrides.map((override) => [override.server, override]));
  return {
    servers: resolution.servers().map((server) => withOverride(server, overrides.get(server.definition.id))),
    files: found.map(({ scope, file, entries }) => reportOf(scope, file, entries)),
    errors: Object.fromEntries(resolution.errors),
  };
}

type SourcedEntry = EntryOutcome & { readonly source: Source };
type WaitingServer = NonNullable<ResolvedServer['waiting']>;

function readEntries(file: ConfigFile, scope: ConfigScope): readonly SourcedEntry[] {
  const readable = readableOf(file);
  if (!readable) return [];
  // Others can write a project's file.
  const author = scope === 'project' ? {} : { author: 'user' as const };
  const source: Source = { kind: 'file', file: readable.path, scope, ...author };
  const { inputs } = readable;
  const keys = readable.entries.map((entry) => entry.key);
  // “plug connect” may have written our own gateway there: that would connect us to ourselves.
  const others = readable.entries.filter(({ value }) => !isOurs(value));
  return others.map(({ key, value, line, column }) =>
    Object.assign(parseEntry(key, value, { source, keys, inputs, line, column }), { source }),
  );
}

/** By id; the strongest source comes first. */
class Precedence {
  readonly errors = new Map<string, ErrorView>();
  readonly #trust: readonly FileTrust[];
  readonly #winners = new Map<string, { server: Omit<ResolvedServer, 'shadowed'>; shadowed: Source[] }>();
  readonly #waiting = new Map<string, WaitingServer>();
  /** Broken entries keep their id, so that no weaker definition takes it. */
  readonly #broken = new Set<string>();

  constructor(trust: readonly FileTrust[]) {
    this.#trust = trust;
  }

  addEntry(entry: SourcedEntry): void {
    if (entry.kind === 'error') return this.#addError(entry);
    const { definition } = entry;
    const untrusted = entry.source.scope === 'project' ? judgeTrust(definition, this.#trust) : undefined;
    if (!untrusted) return this.offer({ definition });
    // Invariant: an entry that was never trusted has no effect, not even on a server with the same id.
    // Once trusted it keeps its id: calls meant for it go nowhere else.
    const takesPart = untrusted.changed || this.#winners.has(definition.id);
    if (takesPart) return this.offer({ definition, untrusted });
    if (!this.#broken.has(definition.id)) this.#waiting.set(definition.id, { definition, untrusted });
  }

  servers(): readonly ResolvedServer[] {
    const waiting = new Map(this.#waiting);
    const winners = [...this.#winners].map(([id, { server, shadowed }]): ResolvedServer => {
      const rival = waiting.get(id);
      waiting.delete(id);
      const takes = shadowed.length > 0 ? { definition: replacing(server.definition) } : {};
      const waits = rival && { waiting: { ...rival, definition: replacing(rival.definition) } };
      return Object.assign({}, server, takes, { shadowed }, waits);
    });
    return [...winners, ...[...waiting.values()].map((server) => ({ ...server, shadowed: [] }))];
  }

  offer(server: Omit<ResolvedServer, 'shadowed'>): void {
    const { id, source } = server.definition;
    const winner = this.#winners.get(id);
    if (winner) winner.shadowed.push(source);
    else if (!this.#broken.has(id)) this.#winners.set(id, { server, shadowed: [] });
  }

  #addError({ id, error, source }: Extract<SourcedEntry, { kind: 'error' }>): void {
    if (this.#winners.has(id) || this.#broken.has(id)) return;
    if (!this.errors.has(id)) this.errors.set(id, error);
    const known = this.#trust.some((row) => row.file === source.file && row.server === id);
    if (source.scope !== 'project' || known) this.#broken.add(id);
  }
}

/** A project's entry under a taken name must not get that name's secrets. */
function replacing(definition: ServerDefinition): ServerDefinition {
  const { source } = definition;
  return source.scope === 'project' ? { ...definition, source: { ...source, replaces: true } } : definition;
}

function withOverride(server: ResolvedServer, override: ServerOverride | undefined): ResolvedServer {
  if (!override) return server;
  const { definition } = server;
  const { enabled = definition.enabled, readOnly = definition.readOnly, apps = false } = override;
  // Nothing is recorded for an entry that states its package itself.
  const chosen = defined({ package: definition.package ?? override.package });
  const shown = { ...server, definition: { ...definition, enabled, readOnly, ...chosen } };
  return apps ? { ...shown, apps } : shown;
}

function reportOf(scope: ConfigScope, file: ConfigFile, entries: readonly SourcedEntry[]): FileReport {
  const own = readableOf(file)?.warnings ?? [];
  return {
    path: file.path,
    scope,
    outcome: file.kind,
    servers: entries.map((entry) => (entry.kind === 'ok' ? entry.definition.id : entry.id)),
    ...(file.kind === 'malformed' ? { line: file.line, column: file.column } : {}),
    ...(file.kind === 'malformed' || file.kind === 'unreadable' ? { reason: file.reason } : {}),
    warnings: [...own, ...entries.flatMap((entry) => (entry.kind === 'ok' ? entry.warnings : []))],
  };
}
