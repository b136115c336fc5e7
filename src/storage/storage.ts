import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { AuditStore, CallJournalStore } from '../calls/audit-record.ts';
import type { ResultStore } from '../calls/stored-result.ts';
import type { LearnedStore } from '../catalog/learned/store.ts';
import type { ToolStore } from '../catalog/store.ts';
import type { ConnectionStore } from '../connections/store.ts';
import type { PolicyStore, WaitingStore } from '../policy/store.ts';
import type { RegistryStore } from '../servers/registry/store.ts';
import type { ChangeStore, CounterStore, ServerStore, SettingStore, VersionStore } from '../servers/store.ts';
import type { ModelStore } from '../vault/models.ts';
import type { AccountStore, VaultStore } from '../vault/store.ts';

export type StorageOptions =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

/** Accounts, with a number that changes when they do: a cache knows when to look again. */
export interface CountedAccounts extends AccountStore {
  readonly changes: number;
}

/** Every store of the product over one database. Who opens it closes it. */
export interface Storage extends AsyncDisposable {
  readonly kind: StorageOptions['kind'];
  readonly servers: ServerStore;
  readonly connections: ConnectionStore;
  readonly registry: RegistryStore;
  readonly vault: VaultStore;
  readonly accounts: CountedAccounts;
  readonly tools: ToolStore;
  readonly learned: LearnedStore;
  readonly policy: PolicyStore;
  readonly audit: AuditStore;
  readonly callJournal: CallJournalStore;
  readonly results: ResultStore;
  readonly models: ModelStore;
  readonly changes: ChangeStore;
  readonly versions: VersionStore;
  readonly settings: SettingStore;
  readonly counters: CounterStore;
  readonly waiting: WaitingStore;
  close(): Promise<void>;
}

export interface StorageTiming {
  readonly clock: Clock;
  readonly ids: Ids;
}
