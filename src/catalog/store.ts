import type { OwnerId } from '../servers/store.ts';
import type { Flag } from './tool.ts';
import type { Pin } from './pin.ts';
import type { Risk, ToolRisk } from './risk.ts';

/** What a person decided about one tool. */
export interface ToolOverride {
  /** Key of the server. */
  readonly server: string;
  readonly tool: string;
  readonly enabled?: boolean;
  readonly risk?: Risk;
}

/** What was worked out about one tool of a manifest, so that a list need not do it again. */
export interface ToolFacts {
  readonly name: string;
  readonly hash: string;
  readonly flags: readonly Flag[];
  /** What it may do, for whoever believes its server's annotations and for whoever does not. */
  readonly risks?: { readonly believed: ToolRisk; readonly doubted: ToolRisk };
  /** Its schema can be used as it is. */
  readonly plain?: true;
  /** Absent until it was counted. */
  readonly tokens?: number;
}

/** All facts of one server, good for exactly this manifest. */
export interface ManifestFacts {
  readonly server: string;
  readonly manifestHash: string;
  /** By which rules they were worked out: those of an earlier version may know less. */
  readonly rules?: number;
  readonly tools: readonly ToolFacts[];
}

/** A tool that its server does not have any more. */
export interface Tombstone {
  readonly server: string;
  readonly tool: string;
  readonly goneAt: number;
}

export interface ToolStore {
  listPins(owner: OwnerId): Promise<readonly Pin[]>;
  /** Inserts or replaces, all or none. */
  putPins(owner: OwnerId, pins: readonly Pin[]): Promise<void>;
  /** All of a server, or one tool; answers how many went. */
  deletePins(owner: OwnerId, server: string, tool?: string): Promise<number>;

  listToolOverrides(owner: OwnerId): Promise<readonly ToolOverride[]>;
  /** Replaces the override of that tool; one without any decision is deleted. */
  putToolOverride(owner: OwnerId, override: ToolOverride): Promise<void>;

  listFacts(owner: OwnerId): Promise<readonly ManifestFacts[]>;
  putFacts(owner: OwnerId, facts: ManifestFacts): Promise<void>;

  listTombstones(owner: OwnerId): Promise<readonly Tombstone[]>;
  putTombstones(owner: OwnerId, tombstones: readonly Tombstone[]): Promise<void>;
  deleteTombstones(owner: OwnerId, server: string, tools: readonly string[]): Promise<void>;

  /** Everything above of one server, when it is removed. */
  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
