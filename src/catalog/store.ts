import type { OwnerId } from '../servers/store.ts';
import type { Flag } from './tool.ts';
import type { Pin } from './pin.ts';
import type { Risk, ToolRisk } from './risk.ts';

export interface ToolOverride {
  readonly server: string;
  readonly tool: string;
  readonly enabled?: boolean;
  readonly risk?: Risk;
}

export interface ToolFacts {
  readonly name: string;
  readonly hash: string;
  readonly flags: readonly Flag[];
  /** With and without trusting the server's annotations. */
  readonly risks?: { readonly believed: ToolRisk; readonly doubted: ToolRisk };
  readonly plain?: true;
  readonly tokens?: number;
}

export interface ManifestFacts {
  readonly server: string;
  readonly manifestHash: string;
  readonly rules?: number;
  readonly tools: readonly ToolFacts[];
}

export interface Tombstone {
  readonly server: string;
  readonly tool: string;
  readonly goneAt: number;
}

export interface ToolStore {
  listPins(owner: OwnerId): Promise<readonly Pin[]>;
  /** Upserts all or none. */
  putPins(owner: OwnerId, pins: readonly Pin[]): Promise<void>;
  /** Of a server or one tool; returns the count. */
  deletePins(owner: OwnerId, server: string, tool?: string): Promise<number>;

  listToolOverrides(owner: OwnerId): Promise<readonly ToolOverride[]>;
  /** Replaces it; one without a decision is deleted. */
  putToolOverride(owner: OwnerId, override: ToolOverride): Promise<void>;

  listFacts(owner: OwnerId): Promise<readonly ManifestFacts[]>;
  putFacts(owner: OwnerId, facts: ManifestFacts): Promise<void>;

  listTombstones(owner: OwnerId): Promise<readonly Tombstone[]>;
  putTombstones(owner: OwnerId, tombstones: readonly Tombstone[]): Promise<void>;
  deleteTombstones(owner: OwnerId, server: string, tools: readonly string[]): Promise<void>;

  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
