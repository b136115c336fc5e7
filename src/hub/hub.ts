import type { Json, JsonObject } from '../base/json.ts';
import type { ErrorView } from '../base/errors.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { Era } from '../connections/manifest.ts';
import type { OverallState, ServerEvent, ServerState } from '../connections/state.ts';
import type { ServerDefinition, Source } from '../servers/definition.ts';
import type { Untrusted } from '../servers/trust.ts';
import type { Profile } from '../servers/profile.ts';
import type { AccountsApi, SecretsApi, ServerCredentials } from './accounts.ts';
import type { ChatApi, ModelsApi } from './chatting.ts';
import type { ConfiguringApi } from './configuring.ts';
import type { SettingsApi } from './settings.ts';
import type { BackupsApi, DoctorApi } from './upkeep.ts';
import type { ImportsApi, PlansApi, RegistriesApi } from './adding.ts';
import type { CallDisplay, CallOptions, ForwardedRequest, ToolsApi } from './calling.ts';
import type {
  Answerer,
  Approval,
  ApprovalOutcome,
  ApprovalsApi,
  AuditApi,
  GrantsApi,
  PolicyApi,
  ResultsApi,
  Trust,
} from './deciding.ts';
import type { VaultStatus } from '../vault/sealed-vault.ts';

export type * from './accounts.ts';
export type * from './adding.ts';
export type * from './calling.ts';
export type * from './chatting.ts';
export type * from './configuring.ts';
export type * from './deciding.ts';
export type * from './settings.ts';
export type * from './upkeep.ts';

/**
 * The one interface of the product. Every face works on it: in-process for the library,
 * over the socket for the CLI, over HTTP for the page and editors. Everything that crosses
 * it is JSON, apart from signals and callbacks.
 */
export interface Hub extends AsyncDisposable {
  readonly servers: ServersApi;
  readonly tools: ToolsApi;
  readonly resources: ResourcesApi;
  readonly prompts: PromptsApi;
  readonly profiles: ProfilesApi;
  readonly hosts: HostsApi;
  readonly accounts: AccountsApi;
  readonly secrets: SecretsApi;
  readonly imports: ImportsApi;
  readonly registries: RegistriesApi;
  readonly plans: PlansApi;
  readonly policy: PolicyApi;
  readonly grants: GrantsApi;
  readonly approvals: ApprovalsApi;
  readonly audit: AuditApi;
  readonly results: ResultsApi;
  readonly models: ModelsApi;
  readonly chat: ChatApi;
  readonly configuring: ConfiguringApi;
  readonly settings: SettingsApi;
  readonly doctor: DoctorApi;
  readonly backups: BackupsApi;
  status(): Promise<HubStatus>;
  /** Everything that happens from now on, until the signal aborts. */
  watch(options?: WatchOptions): AsyncIterable<HubEvent>;
  close(): Promise<void>;
}

export interface WatchOptions {
  readonly signal?: AbortSignal;
  /** Without the steps of calls, which are many. In-process only: others are sent everything. */
  readonly calls?: false;
}

export interface HubStatus {
  readonly version: string;
  readonly pid: number;
  readonly overall: OverallState;
  /** Number of servers by the kind of their state. */
  readonly counts: Readonly<Partial<Record<ServerState['kind'], number>>>;
  readonly tools: number;
  /** Connections that live now, from all folders. */
  readonly live: number;
  readonly startedAt: number;
  /** Loopback address and socket of a hub that listens; absent in-process. */
  readonly url?: string;
  readonly socket?: string;
  readonly home: string;
  readonly storage: 'memory' | 'sqlite' | 'postgres';
  /** Where the key of the vault is. */
  readonly vault?: VaultStatus;
  readonly memoryBytes: number;
}

export type HubEvent =
  | {
      readonly kind: 'server-state';
      readonly server: string;
      readonly state: ServerState;
      readonly event?: ServerEvent;
    }
  | {
      readonly kind: 'manifest-change';
      readonly server: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
      /** Which of its lists are not what they were. */
      readonly lists: readonly ('tools' | 'resources' | 'prompts')[];
    }
  /** Somebody decided about tools: what is offered may not be what it was. */
  | { readonly kind: 'tools-change' }
  | { readonly kind: 'config-change'; readonly outcome: ApplyOutcome }
  | {
      readonly kind: 'server-log';
      readonly server: string;
      readonly level: string;
      readonly logger?: string;
      readonly data: Json;
    }
  | { readonly kind: 'resource-update'; readonly server: string; readonly uri: string }
  | { readonly kind: 'approval-request'; readonly server: string; readonly approval: Approval }
  | {
      readonly kind: 'approval-answer';
      readonly server: string;
      readonly id: string;
      readonly outcome: ApprovalOutcome['kind'];
      /** From where it was answered, if it was. */
      readonly by?: Answerer['kind'];
    }
  | { readonly kind: 'call'; readonly server: string; readonly call: CallDisplay }
  | { readonly kind: 'events-dropped'; readonly count: number };

// ── Servers ────────────────────────────────────────────────────────────────

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

// ── Resources and prompts ──────────────────────────────────────────────────

export interface ResourcesApi {
  list(options?: {
    readonly server?: string;
  }): Promise<{ readonly resources: readonly Offered[]; readonly templates: readonly Offered[] }>;
  read(
    request: { readonly server: string; readonly uri: string; readonly host?: string },
    options?: CallOptions,
  ): Promise<JsonObject>;
  /** Updates arrive as `resource-update` events for as long as somebody is subscribed. */
  subscribe(request: Subscription): Promise<void>;
  unsubscribe(request: Subscription): Promise<void>;
  /**
   * Forwards a method of an extension that only reads: `skills/list`, `skills/get` or
   * `resources/directory/read`. In-process only.
   */
  extension(request: ForwardedRequest, options?: CallOptions): Promise<JsonObject>;
}

export interface Subscription {
  readonly server: string;
  readonly uri: string;
  /** The attached host whose own connection is meant, where it has one. */
  readonly host?: string;
}

export interface PromptsApi {
  list(options?: { readonly server?: string }): Promise<{ readonly prompts: readonly Offered[] }>;
  get(
    request: {
      readonly server: string;
      readonly name: string;
      readonly args?: Readonly<Record<string, string>>;
      readonly host?: string;
    },
    options?: CallOptions,
  ): Promise<JsonObject>;
  /** completion/complete for a prompt's or a template's argument. */
  complete(
    request: {
      readonly server: string;
      readonly ref: JsonObject;
      readonly argument: { readonly name: string; readonly value: string };
      readonly context?: JsonObject;
      readonly host?: string;
    },
    options?: CallOptions,
  ): Promise<JsonObject>;
  /** logging/setLevel, or the level sent with each request on modern links. */
  setLogLevel(request: { readonly server: string; readonly level: string }): Promise<void>;
}

/** A resource, template or prompt exactly as its server sent it. */
export interface Offered {
  readonly server: string;
  readonly definition: JsonObject;
}

// ── Profiles and hosts ─────────────────────────────────────────────────────

export interface ProfilesApi {
  list(): Promise<readonly Profile[]>;
  save(profile: Profile): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface HostsApi {
  /** Registers a face that can answer servers' requests; they reach it until it closes. */
  attach(host: HostOptions): Promise<AttachedHost>;
}

export interface HostOptions {
  readonly name: string;
  readonly handlers: HostHandlers;
  /** Where the host works: per-host servers start there. */
  readonly cwd?: string;
}

export interface AttachedHost extends AsyncDisposable {
  readonly id: string;
  /** Tells its own servers to ask for its roots again. In-process only. */
  rootsChanged(): void;
  close(): Promise<void>;
}
