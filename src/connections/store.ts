import type { OwnerId } from '../servers/store.ts';
import type { Era, Manifest } from './manifest.ts';
import type { ServerEvent } from './state.ts';

/** How a server was last reached, so that the next start need not probe. */
export interface Verdict {
  readonly server: string;
  readonly fingerprint: string;
  readonly era: Era;
  readonly transport: 'stdio' | 'streamable-http' | 'sse' | 'ws';
  /** The server has asked its host something: it wants a connection per host. */
  readonly usesHost: boolean;
  /** Whether a modern server takes `initialize`, too: unknown until a legacy host needs it. */
  readonly alsoLegacy?: boolean;
  readonly decidedAt: number;
}

/** A child process of a hub; leftovers of a crashed hub are reaped by these. */
export interface ProcessRecord {
  readonly hub: string;
  readonly server: string;
  readonly pid: number;
  /** In the platform's own unit; with the pid it identifies a process beyond recycling. */
  readonly startTime: string;
  /** Value of the marker variable in the environment of the whole tree. */
  readonly marker: string;
}

export interface EventQuery {
  readonly server?: string;
  readonly since?: number;
  readonly limit: number;
}

export interface ConnectionStore {
  listManifests(owner: OwnerId): Promise<readonly Manifest[]>;
  getManifest(owner: OwnerId, server: string): Promise<Manifest | undefined>;
  putManifest(owner: OwnerId, manifest: Manifest): Promise<void>;
  deleteManifest(owner: OwnerId, server: string): Promise<boolean>;

  getVerdict(owner: OwnerId, server: string): Promise<Verdict | undefined>;
  putVerdict(owner: OwnerId, verdict: Verdict): Promise<void>;
  deleteVerdict(owner: OwnerId, server: string): Promise<boolean>;

  appendEvent(owner: OwnerId, event: ServerEvent): Promise<void>;
  /** Newest first. */
  listEvents(owner: OwnerId, query: EventQuery): Promise<readonly ServerEvent[]>;
  /** Keeps the newest `keep` events of each server; answers how many went. */
  pruneEvents(owner: OwnerId, keep: number): Promise<number>;

  listProcesses(): Promise<readonly ProcessRecord[]>;
  putProcess(record: ProcessRecord): Promise<void>;
  deleteProcess(hub: string, pid: number): Promise<boolean>;
}
