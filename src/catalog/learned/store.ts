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

/** What led to a tool: earlier queries, last one first, each as terms that the catalog had. */
export interface LearnedQueriesOfTool {
  readonly server: string;
  readonly tool: string;
  readonly queries: readonly string[];
}

export interface LearnedStore {
  listLearned(owner: OwnerId): Promise<readonly LearnedTool[]>;
  /** Upserts all or none. */
  putLearned(owner: OwnerId, learned: readonly LearnedTool[]): Promise<void>;
  listQueries(owner: OwnerId): Promise<readonly LearnedQueriesOfTool[]>;
  /** Upserts all or none. */
  putQueries(owner: OwnerId, learned: readonly LearnedQueriesOfTool[]): Promise<void>;
  clearQueries(owner: OwnerId): Promise<void>;
  /** Outputs and queries. */
  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
