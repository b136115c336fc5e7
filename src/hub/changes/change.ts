import type { ToolOverride } from '../../catalog/store.ts';
import type { Pin } from '../../catalog/pin.ts';
import type { Grant } from '../../policy/grant.ts';
import type { ServerTrust, StoredHost } from '../../policy/store.ts';
import type { EntryPlace } from '../../servers/clients/file-journal.ts';
import type { ServerDefinition } from '../../servers/definition.ts';
import type { ServerOverride } from '../../servers/store.ts';
import type { Account } from '../../vault/store.ts';
import type { ChangeKind } from '../changes.ts';

/** A change as it is kept. It is written down before anything is touched, and completed afterwards. */
export interface Change {
  readonly id: string;
  readonly place: number;
  readonly at: number;
  readonly kind: ChangeKind;
  /** Servers or clients, as people know them. */
  readonly names: readonly string[];
  /** `open`: under way, or cut off by a crash; how far it came is found out when it is undone. */
  readonly state: 'open' | 'done';
  readonly files: readonly FilePart[];
  readonly servers: readonly ServerPart[];
  readonly secrets: readonly SecretPart[];
  readonly hosts: readonly HostPart[];
}

/** Names of kept values point into the vault: neither files nor keys are in the journal itself. */
export interface FilePart {
  readonly client: string;
  readonly path: string;
  /** Absent: there was no file. */
  readonly before?: { readonly kept: readonly string[]; readonly hash: string; readonly mode: number };
  readonly folders: readonly string[];
  /** Absent: the file was taken away. */
  readonly afterHash?: string;
  /** Copies that were made beside it. */
  readonly backups: readonly string[];
  readonly entry: EntryPlace;
}

export interface ServerPart {
  readonly id: string;
  readonly before: ServerSnapshot;
  /** Absent as long as the change is open. */
  readonly after?: ServerSnapshot;
}

/** Everything that is stored of one server, without its keys. */
export interface ServerSnapshot {
  readonly definition?: ServerDefinition;
  readonly override?: ServerOverride;
  readonly trust?: ServerTrust;
  readonly pins: readonly Pin[];
  readonly tools: readonly ToolOverride[];
  readonly grants: readonly Grant[];
  readonly accounts: readonly Account[];
}

export interface SecretPart {
  readonly name: string;
  /** Of the record; absent: there was none. */
  readonly before?: number;
  readonly after?: number;
  /** The value before, sealed in the vault; absent when there was none or the vault was locked. */
  readonly kept?: string;
}

/** A host's token is known by its digest alone, so that the row can be put back. */
export interface HostPart {
  readonly name: string;
  readonly before?: StoredHost;
  readonly after?: StoredHost;
}
