import type { ErrorView } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import type { Era } from '../connections/manifest.ts';
import type { OverallState, ServerEvent, ServerState } from '../connections/state.ts';
import type { ServerDefinition, Source } from '../servers/definition.ts';
import type { Untrusted } from '../servers/trust.ts';
import type { ServerCredentials } from './accounts.ts';
import type { Trust } from './deciding.ts';

/** The servers that are here: how they are, and what can be done with them. */

export interface ServersApi {
  list(): Promise<ServerList>;
  get(id: string): Promise<ServerView>;
  /** All of a definition, for an export; placeholders stay unresolved. */
  definition(id: string): Promise<ServerDefinition>;
  /** Saves a definition in the database; with `test`, only after a successful connection. */
  add(definition: ServerDefinition, options?: AddOptions): Promise<AddOutcome>;
  remove(id: string): Promise<void>;
  enable(id: string): Promise<ServerView>;
  disable(id: string): Promise<ServerView>;
  setReadOnly(id: string, readOnly: boolean): Promise<ServerView>;
  /** Whether pages that a server brings along (`ui://` resources) are shown; off by default. */
  setApps(id: string, shown: boolean): Promise<ServerView>;
  /** What is stored for a server and would be forgotten with it. */
  credentials(id: string): Promise<ServerCredentials>;
  /** The icon that a server declares, fetched for the page: only pictures without a script in them. */
  icon(id: string): Promise<ServerIcon>;
  /**
   * Lets what reads run without asking, and an entry of a project's file run at all, exactly as
   * it was shown: give the fingerprint of `untrusted`, and an entry that changed since then is
   * refused. Its tools are pinned as they are now, but for those that changed since
   * they were approved: each of them waits for an approval of its own.
   */
  trust(
    id: string,
    options?: {
      readonly fingerprint?: string;
      /** Until the hub stops; else until it is taken back. */
      readonly session?: boolean;
    },
  ): Promise<ServerView>;
  untrust(id: string): Promise<ServerView>;
  /** Makes the database hold exactly these servers: added, removed, changed, kept. */
  apply(definitions: readonly ServerDefinition[]): Promise<ApplyOutcome>;
  /** Reads the config files again now. */
  reload(): Promise<ApplyOutcome>;

  start(id: string, options?: WaitOptions): Promise<ServerView>;
  stop(id: string): Promise<ServerView>;
  restart(id: string, options?: WaitOptions): Promise<ServerView>;
  /** A new session without touching what runs, where the transport allows it. */
  reconnect(id: string, options?: WaitOptions): Promise<ServerView>;
  restartFailed(): Promise<readonly string[]>;
  stopAll(): Promise<readonly string[]>;
  /** Starts these (default: all enabled) in the background and returns at once. */
  ensureStarted(ids?: readonly string[]): Promise<readonly string[]>;
  /** Starts these and waits until each is ready or has failed, or the time is over. */
  waitUntilReady(options?: WaitUntilReadyOptions): Promise<ServerList>;

  logs(id: string, options?: { readonly lines?: number }): Promise<ServerLog>;
  events(query?: {
    readonly server?: string;
    readonly since?: number;
    readonly limit?: number;
  }): Promise<readonly ServerEvent[]>;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
}

export interface WaitUntilReadyOptions extends WaitOptions {
  readonly ids?: readonly string[];
  readonly timeoutMs?: number;
  readonly onProgress?: (progress: {
    readonly ready: number;
    readonly total: number;
    readonly server: string;
    readonly state: ServerState;
  }) => void;
}

export interface AddOptions extends WaitOptions {
  /** Connect before saving; default true. */
  readonly test?: boolean;
  readonly replace?: boolean;
}

export interface AddOutcome {
  readonly server: ServerView;
  /** A sentence: “Connected to X, 12 tools including a, b, c.” */
  readonly summary: string;
  readonly tested: boolean;
}

export interface ApplyOutcome {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly kept: readonly string[];
  /** Per server: what is wrong with its entry. */
  readonly errors: Readonly<Record<string, ErrorView>>;
}

export interface ServerList {
  readonly overall: OverallState;
  readonly servers: readonly ServerView[];
  /** Config files that were looked at, with what came of it. */
  readonly files: readonly ConfigFileView[];
}

export interface ConfigFileView {
  readonly path: string;
  readonly scope: 'env' | 'project' | 'user';
  readonly outcome: 'ok' | 'missing' | 'unreadable' | 'malformed';
  readonly servers: readonly string[];
  readonly line?: number;
  readonly column?: number;
  readonly reason?: string;
  /** Unknown fields and the like: kept, and said. */
  readonly warnings: readonly string[];
}

export interface ServerView {
  readonly id: string;
  readonly name: string;
  readonly transport: 'stdio' | 'http' | 'sse' | 'ws';
  /** Command line or address, placeholders unresolved and secrets masked. */
  readonly target: string;
  readonly enabled: boolean;
  readonly readOnly: boolean;
  readonly state: ServerState;
  readonly source: Source;
  /** An entry of a project's file that waits for trust, with what changed since it was trusted. */
  readonly untrusted?: Untrusted;
  readonly trust: Trust;
  /** From the manifest; absent as long as the server has never been connected. */
  readonly serverInfo?: JsonObject;
  readonly instructions?: string;
  readonly era?: Era;
  readonly protocolVersion?: string;
  readonly capabilities?: JsonObject;
  readonly toolCount: number;
  readonly toolsOffered: number;
  /** What the tools that are offered cost a model; absent until they were counted. */
  readonly tokens?: number;
  /** Whether it declares an icon: see `icon`. */
  readonly hasIcon?: boolean;
  /** Whether pages that it brings along are shown. */
  readonly apps: boolean;
  /** Set when its calls are not kept in the audit: see `audit.setRecorded`. */
  readonly recorded?: false;
  readonly problems: readonly string[];
  readonly lastUsedAt?: number;
  /** Whom we are at a remote server: its name for us, else ours for the account. */
  readonly account?: string;
  readonly process?: ProcessView;
}

export interface ServerIcon {
  /** Absent when it has none, or none that may be shown. */
  readonly mimeType?: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  /** In base64. */
  readonly data?: string;
}

export interface ProcessView {
  readonly pid: number;
  readonly processes: number;
  readonly memoryBytes: number;
  /** Present when the memory is past the limit. */
  readonly warning?: string;
}

export interface ServerLog {
  readonly server: string;
  /** What the server wrote to stderr, newest last. */
  readonly stderr: readonly string[];
  /** Lines on stdout that were not JSON-RPC. */
  readonly noise: { readonly count: number; readonly lines: readonly string[] };
}
