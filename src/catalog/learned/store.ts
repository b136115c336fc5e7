import type { JsonObject } from '../../base/json.ts';
import type { OwnerId } from '../../servers/store.ts';

/** Shape of one tool definition's results; holds no values. */
export interface LearnedTool {
  readonly server: string;
  readonly tool: string;
  /** A changed tool is learned again. */
  readonly hash: string;
  readonly seen: number;
  /** JSON Schema of types and names only. */
  readonly schema: JsonObject;
}

export interface LearnedStore {
  listLearned(owner: OwnerId): Promise<readonly LearnedTool[]>;
  /** Upserts all or none. */
  putLearned(owner: OwnerId, learned: readonly LearnedTool[]): Promise<void>;
  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
