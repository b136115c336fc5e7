import type { JsonObject } from '../base/json.ts';
import type { ManifestDiff } from '../connections/manifest.ts';
import type { OutputKind } from '../connections/pool.ts';
import type { OverallState, ServerEvent, ServerState } from '../connections/state.ts';
import type { VaultStatus } from '../vault/sealed-vault.ts';
import type { CallDisplay, LogEntry } from './calls.ts';
import type { Answerer, Approval, ApprovalOutcome } from './decisions.ts';
import type { Apis } from './operations/table.ts';
import type { ApplyOutcome } from './servers.ts';

export type * from './accounts.ts';
export type * from './plans.ts';
export type * from './calls.ts';
export type * from './chat.ts';
export type * from './decisions.ts';
export type * from './hosts.ts';
export type * from './operations/inputs.ts';
export type * from './servers.ts';
export type * from './maintenance.ts';
export type * from './changes.ts';
export type { ClientEdit, ClientList, ClientView, UsedClient } from './client-files.ts';
export type * from './setup.ts';
export type * from './updates.ts';

/**
 * The one interface of the product: in-process for the library, over the socket for the CLI, over HTTP for
 * the page and editors. Everything that crosses it is JSON, apart from signals and callbacks.
 */
export interface Hub extends Apis, AsyncDisposable {
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
  readonly counts: Readonly<Partial<Record<ServerState['kind'], number>>>;
  readonly tools: number;
  readonly live: number;
  readonly startedAt: number;
  /** Loopback address and socket of a hub that listens; absent in-process. */
  readonly url?: string;
  readonly socket?: string;
  readonly home: string;
  readonly storage: 'memory' | 'sqlite' | 'postgres';
  readonly vault?: VaultStatus;
  readonly memoryBytes: number;
  /** Versions of packages that are installed for servers, and the room that they take. */
  readonly packages: { readonly count: number; readonly bytes: number };
  /** The switch for everything is on: only what is known to read is offered, and runs. */
  readonly readOnly: boolean;
}

export type HubEvent =
  | {
      readonly kind: 'server-state';
      readonly server: string;
      readonly state: ServerState;
      readonly event?: ServerEvent;
    }
  | ({ readonly kind: 'manifest-change'; readonly server: string } & ManifestDiff)
  | { readonly kind: 'tools-change' }
  | { readonly kind: 'config-change'; readonly outcome: ApplyOutcome }
  | ({
      readonly kind: 'server-log';
      /** The only host of the connection that it came on. */
      readonly host?: string;
      /** A request was under way there: it was told with that request, to whom it was for. */
      readonly inRequest?: true;
    } & LogEntry)
  /** There is more to read: of what the server wrote, or of its traffic. A few a second at most. */
  | { readonly kind: 'server-output'; readonly server: string; readonly of: OutputKind }
  | { readonly kind: 'resource-update'; readonly server: string; readonly uri: string }
  | {
      readonly kind: 'task-status';
      readonly server: string;
      readonly task: JsonObject;
      /** The only host of the connection that it came on: two processes may use the same id. */
      readonly host?: string;
    }
  | { readonly kind: 'approval-request'; readonly server: string; readonly approval: Approval }
  | {
      readonly kind: 'approval-answer';
      readonly server: string;
      readonly id: string;
      readonly outcome: ApprovalOutcome['kind'];
      readonly by?: Answerer['kind'];
    }
  | { readonly kind: 'call'; readonly server: string; readonly call: CallDisplay }
  | { readonly kind: 'events-dropped'; readonly count: number };
