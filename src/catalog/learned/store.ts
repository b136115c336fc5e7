import type { JsonObject } from '../../base/json.ts';
import type { OwnerId } from '../../servers/store.ts';

export interface LearnedTool {
  readonly server: string;
  readonly tool: string;
  /** A changed tool is learned again. */
  readonly hash: string;
  readonly seen: number;
  readonly schema: JsonObject;
}

export interface LearnedStore {
  listLearned(owner: OwnerId): Promise<readonly LearnedTool[]>;
  /** Upserts all or none. */
  putLearned(owner: OwnerId, learned: readonly LearnedTool[]): Promise<void>;
  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
