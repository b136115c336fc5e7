import type { Json, JsonObject } from '../base/json.ts';
import type { HostHandlers } from '../connections/host.ts';
import type { OverallState, ServerEvent, ServerState } from '../connections/state.ts';
import type { Profile } from '../servers/profile.ts';
import type { AccountsApi, SecretsApi } from './accounts.ts';
import type { ChatApi, ModelsApi } from './chatting.ts';
import type { ConfiguringApi } from './configuring.ts';
import type { ApplyOutcome, ServersApi } from './servers.ts';
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
} from './deciding.ts';
import type { VaultStatus } from '../vault/sealed-vault.ts';

export type * from './accounts.ts';
export type * from './adding.ts';
export type * from './calling.ts';
export type * from './chatting.ts';
export type * from './configuring.ts';
export type * from './deciding.ts';
export type * from './servers.ts';
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
