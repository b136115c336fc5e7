import { createHash } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '../base/json.ts';
import { PlugError } from '../base/errors.ts';
import type { Syntax } from './clients/documents/document.ts';

/** `http` means Streamable HTTP, with SSE as fallback. */
export type Endpoint =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string;
      readonly env: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'http' | 'sse' | 'ws';
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
    };

export type AuthKind = 'none' | 'key' | 'key-file' | 'oauth' | 'header' | 'unknown';

export interface Source {
  readonly kind: 'official' | 'smithery' | 'featured' | 'manual' | 'file' | 'import';
  readonly name?: string;
  readonly version?: string;
  readonly file?: string;
  readonly scope?: 'env' | 'project' | 'user';
  /** The user, in a file of theirs. Absent means untrusted, the strict default; see `judgeReference`. */
  readonly author?: 'user';
  /** References to files and password managers that the user gave for a field of its plan. */
  readonly chosen?: readonly string[];
  /** A project's entry under a name that is taken: it gets none of that server's secrets. */
  readonly replaces?: true;
}

export interface PackageRef {
  readonly registry: 'npm' | 'pypi' | 'oci' | 'nuget' | 'mcpb' | 'http';
  readonly name: string;
  readonly version: string;
  readonly runtimeHint?: string;
  /** The checksum at approval: `sha512-…`. */
  readonly integrity?: string;
}

/** An entry of another client's file, which stays the source of truth. */
export interface FollowedEntry {
  readonly client: string;
  readonly file: string;
  readonly syntax: Syntax;
  readonly path: readonly string[];
  readonly workspace?: string;
  readonly entry: string;
  /** In a project's file, which others can write: the fingerprint that the user agreed to. */
  readonly pinned?: string;
}

export interface Timeouts {
  readonly startMs?: number;
  readonly callMs?: number;
  readonly idleMs?: number;
  readonly toolMs?: Readonly<Record<string, number>>;
}

export interface ToolFilter {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** One type for servers from all sources. Strings may hold placeholders. */
export interface ServerDefinition {
  readonly id: string;
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly auth: AuthKind;
  readonly enabled: boolean;
  readonly source: Source;
  readonly package?: PackageRef;
  /** The user's values for `${input:id}`. */
  readonly config: Readonly<Record<string, Json>>;
  readonly timeouts: Timeouts;
  readonly tools: ToolFilter;
  readonly readOnly: boolean;
  readonly keepAlive: boolean;
  /** `auto`: shared, unless the server needs its host (elicitation, sampling, roots). */
  readonly sharing: 'auto' | 'shared' | 'per-host';
  /** Variables that can change what code runs, allowed by the user. */
  readonly allowDangerousEnv?: readonly string[];
  readonly follow?: FollowedEntry;
  /** Icon URLs from the registry. */
  readonly icons?: readonly string[];
  /** Unknown fields of other clients, kept for a lossless round trip; searched for keys. */
  readonly extra: JsonObject;
}

/** The name of our own tools. */
const OWN_ID = 'plug';
const SERVER_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Windows device names can't be file names. */
const RESERVED_ID = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;

export function isServerId(id: string): boolean {
  return SERVER_ID.test(id) && !RESERVED_ID.test(id) && id !== 'constructor' && id !== OWN_ID;
}

export function checkServerId(id: string): void {
  if (isServerId(id)) return;
  throw new PlugError('usage', `“${id.slice(0, 80)}” cannot be a server's name.`, {
    owner: 'you',
    remedy: `Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit${like(id)}.`,
  });
}

/** The nearest name that can be one. */
function like(id: string): string {
  const near = id
    .slice(0, 64)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[^a-z0-9]+|-+$/g, '');
  return isServerId(near) && /[a-z]/.test(near) ? `, such as ${near}` : '';
}

export type GivenDefinition = Pick<ServerDefinition, 'id'> &
  Partial<Omit<ServerDefinition, 'endpoint'>> & {
    readonly endpoint:
      | (Pick<LocalEndpoint, 'kind' | 'command'> & Partial<LocalEndpoint>)
      | (Pick<RemoteEndpoint, 'kind' | 'url'> & Partial<RemoteEndpoint>);
  };

export type LocalEndpoint = Extract<Endpoint, { kind: 'stdio' }>;
export type RemoteEndpoint = Exclude<Endpoint, { kind: 'stdio' }>;

export function defineServer(given: GivenDefinition): ServerDefinition {
  checkServerId(given.id);
  const { endpoint } = given;
  return {
    name: given.id,
    auth: 'unknown',
    enabled: true,
    source: { kind: 'manual' },
    config: {},
    timeouts: {},
    tools: {},
    readOnly: false,
    keepAlive: false,
    sharing: 'auto',
    extra: {},
    ...given,
    endpoint: endpoint.kind === 'stdio' ? { args: [], env: {}, ...endpoint } : { headers: {}, ...endpoint },
  };
}

/** Identifies what would run or be contacted; placeholders count as written. */
export function fingerprintOf(definition: Pick<ServerDefinition, 'endpoint' | 'config'>): string {
  const text = canonicalJson({ endpoint: definition.endpoint, config: definition.config });
  return createHash('sha256').update(text).digest('hex');
}

export function describeEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'stdio' ? [endpoint.command, ...endpoint.args].join(' ') : endpoint.url;
}

export function isLocal(endpoint: Endpoint): boolean {
  return endpoint.kind === 'stdio';
}

/** “GitHub (work)” is `github-work`, “Größe” is `grosse`; undefined if nothing is left. */
export function plainId(name: string): string | undefined {
  const id = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøłđðþı]/g, (letter) => LETTERS[letter] ?? '')
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 64)
    .replace(/[._-]+$/, '');
  return isServerId(id) ? id : undefined;
}

/** Letters that no accent was put on. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

export function mapValues(
  texts: Texts,
  rewrite: (text: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, rewrite(text, name)]));
}

type Texts = Readonly<Record<string, string>>;
