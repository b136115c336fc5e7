import { freeName, type PlaintextKey } from './plaintext-keys.ts';
import { mapValues, type Endpoint, type ServerDefinition } from '../definition.ts';
import type { Secret } from '../../base/secret.ts';
import { PlugError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { sameness } from './duplicates.ts';
import { followFrom } from './follow.ts';
import type { ImportScan, ImportedServer } from './scan.ts';

/** The part of the vault that an import needs: it writes keys and reads none. */
export interface KeyStore {
  list(owner: string): Promise<readonly string[]>;
  set(owner: string, name: string, value: Secret): Promise<void>;
}

export type ImportPick = 'all' | readonly string[];

export interface ImportOptions {
  readonly vault: KeyStore;
  readonly owner: string;
  /** Its ids are taken, and a server that is the same isn't imported again. */
  readonly existing: readonly ServerDefinition[];
  /** Keep the client's file as the source of truth: no copies, no keys moved. */
  readonly follow?: boolean;
  readonly dryRun?: boolean;
}

export interface ImportPlan {
  readonly servers: readonly PlannedServer[];
  readonly skipped: readonly { readonly ref: string; readonly why: string }[];
}

export interface PlannedServer {
  readonly ref: string;
  readonly definition: ServerDefinition;
  readonly keys: readonly { readonly name: string; readonly where: string }[];
  readonly renamedFrom?: string;
}

export async function importServers(
  scan: ImportScan,
  pick: ImportPick,
  options: ImportOptions,
): Promise<ImportPlan> {
  const { chosen, skipped } = choose(scan, pick, options.existing);
  const ids = new Set(options.existing.map(({ id }) => id));
  const names = new Set(await options.vault.list(options.owner));
  const servers: PlannedServer[] = [];
  for (const server of chosen) {
    const { ref, definition } = server;
    const id = freeId(server, ids);
    ids.add(id);
    const renamed = id === definition.id ? {} : { renamedFrom: definition.id };
    if (options.follow) {
      servers.push({ ref, definition: { ...followFrom(server), id }, keys: [], ...renamed });
      continue;
    }
    const moved = renameKeys({ ...definition, id }, server.keys, names);
    if (!options.dryRun)
      for (const { name, value } of moved.keys) await options.vault.set(options.owner, name, value);
    const keys = moved.keys.map(({ name, where }) => ({ name, where }));
    servers.push({ ref, definition: moved.definition, keys, ...renamed });
  }
  return { servers, skipped };
}

function choose(scan: ImportScan, pick: ImportPick, existing: readonly ServerDefinition[]) {
  const picked = pick === 'all' ? scan.found : pickFrom(scan, pick);
  const first = firstsOf(picked);
  const skipped: { ref: string; why: string }[] = [];
  const chosen = picked.filter((server) => {
    const { ref, fingerprint } = server;
    const here = existing.find((other) => isHere(server, other))?.id;
    const kept = first.get(fingerprint)?.ref;
    const twin = kept === ref ? undefined : kept;
    if (here !== undefined) skipped.push({ ref, why: `It is already here, as “${here}”.` });
    else if (twin !== undefined) skipped.push({ ref, why: `It is the same server as ${twin}.` });
    return here === undefined && twin === undefined;
  });
  return { chosen, skipped };
}

/** By fingerprint: the one of several that is imported. One that is on wins over those that are off. */
export function firstsOf(found: readonly ImportedServer[]): ReadonlyMap<string, ImportedServer> {
  const groups = Map.groupBy(found, ({ fingerprint }) => fingerprint);
  return new Map(
    [...groups].flatMap(([fingerprint, servers]) => {
      const first = servers.find(({ definition }) => definition.enabled) ?? servers[0];
      return first ? [[fingerprint, first]] : [];
    }),
  );
}

/** Two files may hold two accounts of one service: with keys, only the same file counts. */
function isHere({ definition, keys, file }: ImportedServer, other: ServerDefinition): boolean {
  const sameFile = other.source.kind === 'import' && other.source.file === file;
  if (keys.length > 0 && !sameFile) return false;
  return sameness(withPlainNames(definition)) === sameness(withPlainNames(other));
}

function pickFrom({ found }: ImportScan, wanted: readonly string[]): readonly ImportedServer[] {
  const matches = (want: string): readonly ImportedServer[] => {
    const exact = found.filter(({ ref }) => ref === want);
    const fits = exact.length > 0 ? exact : found.filter(({ definition }) => definition.id === want);
    if (fits.length > 0) return fits;
    throw new PlugError('not_found', `No client has a server “${want.slice(0, 80)}”.`, {
      owner: 'you',
      remedy: { do: 'import' },
    });
  };
  const picked = new Set(wanted.flatMap(matches));
  return found.filter((server) => picked.has(server));
}

/** Ends with part of the fingerprint, so that importing again gives the same ids. */
function freeId({ definition, client, fingerprint }: ImportedServer, taken: ReadonlySet<string>): string {
  const { id } = definition;
  const withClient = `${id.slice(0, 63 - client.length)}-${client}`;
  const withPrint = `${withClient.slice(0, 57)}-${fingerprint.slice(0, 6)}`;
  const free = [id, withClient, withPrint].find((candidate) => !taken.has(candidate));
  if (free !== undefined) return free;
  const short = withPrint.slice(0, 60);
  return freeName(short, (name) => name === short || taken.has(name));
}

function renameKeys(definition: ServerDefinition, keys: readonly PlaintextKey[], taken: Set<string>) {
  const references = new Map<string, string>();
  const renamed = keys.map((key) => {
    const plain = `${definition.id}/${key.name.slice(key.name.indexOf('/') + 1)}`;
    const name = freeName(plain, (candidate) => taken.has(candidate));
    taken.add(name);
    references.set(`\${vault:${key.name}}`, `\${vault:${name}}`);
    return { ...key, name };
  });
  const rewrite = (text: string): string =>
    text.replaceAll(VAULT_REFERENCE, (reference) => references.get(reference) ?? reference);
  const endpoint = rewriteEndpoint(definition.endpoint, rewrite);
  // Rewritten as JSON text, so the fields stay Json.
  const extra = JSON.parse(rewrite(JSON.stringify(definition.extra))) as JsonObject;
  return { definition: { ...definition, endpoint, extra }, keys: renamed };
}

const VAULT_REFERENCE = /\$\{vault:[^}]*\}/g;

/** For comparison: the names of keys in the vault don't matter. */
function withPlainNames(definition: ServerDefinition): ServerDefinition {
  const plain = (text: string): string => text.replaceAll(VAULT_REFERENCE, '${vault:key}');
  return { ...definition, endpoint: rewriteEndpoint(definition.endpoint, plain) };
}

function rewriteEndpoint(endpoint: Endpoint, rewrite: (text: string) => string): Endpoint {
  if (endpoint.kind === 'stdio')
    return { ...endpoint, args: endpoint.args.map(rewrite), env: mapValues(endpoint.env, rewrite) };
  return { ...endpoint, url: rewrite(endpoint.url), headers: mapValues(endpoint.headers, rewrite) };
}
