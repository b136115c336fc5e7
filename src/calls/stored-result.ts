import type { OwnerId } from '../servers/store.ts';

export interface StoredResult {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly callId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly bytes: number;
  /** Of the JSON text; equal size but for the last. */
  readonly pieces: number;
}

export interface ResultStore {
  /** All pieces or none; readable when the promise resolves. */
  putResult(owner: OwnerId, result: StoredResult, pieces: readonly string[]): Promise<void>;
  getResult(owner: OwnerId, id: string): Promise<StoredResult | undefined>;
  getPiece(owner: OwnerId, id: string, index: number): Promise<string | undefined>;
  /** Newest first. */
  listResults(owner: OwnerId): Promise<readonly StoredResult[]>;
  deleteResult(owner: OwnerId, id: string): Promise<boolean>;
  /** Deletes expired results, then the oldest beyond `bytesMax`; returns how many. */
  pruneResults(owner: OwnerId, limits: { readonly now: number; readonly bytesMax: number }): Promise<number>;
}
