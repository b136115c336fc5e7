import { createHash } from 'node:crypto';
import { canonicalJson, type Json, type JsonObject } from '../base/json.ts';
import { PlugError } from '../base/errors.ts';
import type { Syntax } from './clients/documents/document.ts';

/** How a server is reached. `http` means Streamable HTTP first, SSE when the server says so. */
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
  /** For `file`: the path, and which of the three places it is. */
  readonly file?: string;
  readonly scope?: 'env' | 'project' | 'user';
  /**
   * Who wrote it: the user, in a file that they keep. Absent means somebody else, so that a way in
   * that does not say it gets the strict reading; see `judgeReference`.
   */
  readonly author?: 'user';
  /** A project's entry that has taken the name of another definition: that one's secrets are not its own. */
  readonly replaces?: true;
}

export interface PackageRef {
  readonly registry: 'npm' | 'pypi' | 'oci' | 'nuget' | 'mcpb' | 'http';
  readonly name: string;
  readonly version: string;
  readonly runtimeHint?: string;
  /** The checksum that its index stated when the plan was approved: `sha512-…`. */
  readonly integrity?: string;
}

/** The entry of another client's file that a server follows: that file stays the source of truth. */
export interface FollowedEntry {
  readonly client: string;
  readonly file: string;
  readonly syntax: Syntax;
  readonly path: readonly string[];
  readonly workspace?: string;
  /** The server's name in that file. */
  readonly entry: string;
  /** For a project's file, which others can write: the fingerprint that the user agreed to. */
  readonly pinned?: string;
}

export interface Timeouts {
  readonly startMs?: number;
  readonly callMs?: number;
  readonly idleMs?: number;
  /** Call limits of single tools, by the server's own tool name. */
  readonly toolMs?: Readonly<Record<string, number>>;
}

export interface ToolFilter {
  /** Globs over the server's own tool names; absent means all. */
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
}

/** One definition type for all servers, wherever they come from. Strings may hold placeholders. */
export interface ServerDefinition {
  readonly id: string;
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly auth: AuthKind;
  readonly enabled: boolean;
  readonly source: Source;
  readonly package?: PackageRef;
  /** Values for `${input:id}` and the like, given by the user. */
  readonly config: Readonly<Record<string, Json>>;
  readonly timeouts: Timeouts;
  readonly tools: ToolFilter;
  readonly readOnly: boolean;
  readonly keepAlive: boolean;
  /** `auto`: shared unless the server turns out to need its host (elicitation, sampling, roots). */
  readonly sharing: 'auto' | 'shared' | 'per-host';
  /** Variables that the user lets through although they can change what code runs. */
  readonly allowDangerousEnv?: readonly string[];
  readonly follow?: FollowedEntry;
  /** Addresses of pictures that its registry declared. */
  readonly icons?: readonly string[];
  /**
   * Fields of other clients that we do not know, kept for a lossless round trip. Nothing of ours
   * stands here: values in it are searched for keys by name and shape.
   */
  readonly extra: JsonObject;
}

/** Our own tools are shown under it. */
const OWN_ID = 'plug';
const SERVER_ID = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Names of Windows devices: a file called so can never be written there. */
const RESERVED_ID = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/;

export function isServerId(id: string): boolean {
  return SERVER_ID.test(id) && !RESERVED_ID.test(id) && id !== 'constructor' && id !== OWN_ID;
}

export function checkServerId(id: string): void {
  if (isServerId(id)) return;
  throw new PlugError('usage', `“${id.slice(0, 80)}” cannot be a server's name.`, {
    owner: 'you',
    remedy: 'Use 1 to 64 of a–z, 0–9, dot, dash and underscore, starting with a letter or a digit.',
  });
}

/** What must be given of a definition; the rest has defaults. */
export type GivenDefinition = Pick<ServerDefinition, 'id'> &
  Partial<Omit<ServerDefinition, 'endpoint'>> & {
    readonly endpoint:
      | (Pick<Local, 'kind' | 'command'> & Partial<Local>)
      | (Pick<Remote, 'kind' | 'url'> & Partial<Remote>);
  };

type Local = Extract<Endpoint, { kind: 'stdio' }>;
type Remote = Exclude<Endpoint, { kind: 'stdio' }>;

/** A definition with every default filled in. */
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

/**
 * Identifies what would run or be contacted: a change of one byte in command, arguments,
 * environment, folder, address or headers is another server. Placeholders count as written.
 */
export function fingerprintOf(definition: Pick<ServerDefinition, 'endpoint' | 'config'>): string {
  const text = canonicalJson({ endpoint: definition.endpoint, config: definition.config });
  return createHash('sha256').update(text).digest('hex');
}

/** What a person recognises the server by: its command line or its address. */
export function describeEndpoint(endpoint: Endpoint): string {
  return endpoint.kind === 'stdio' ? [endpoint.command, ...endpoint.args].join(' ') : endpoint.url;
}

export function isLocal(endpoint: Endpoint): boolean {
  return endpoint.kind === 'stdio';
}
