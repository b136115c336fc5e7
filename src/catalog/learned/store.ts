import type { JsonObject } from '../../base/json.ts';
import type { OwnerId } from '../../servers/store.ts';

/** What results of one definition of a tool looked like. Holds no value of any result. */
export interface LearnedTool {
  /** Key of the server. */
  readonly server: string;
  readonly tool: string;
  /** Of the definition: a tool that changed is learned anew. */
  readonly hash: string;
  /** From how many results. */
  readonly seen: number;
  /** JSON Schema, of types and names alone. */
  readonly schema: JsonObject;
}

export interface LearnedStore {
  listLearned(owner: OwnerId): Promise<readonly LearnedTool[]>;
  /** Inserts or replaces, all or none. */
  putLearned(owner: OwnerId, learned: readonly LearnedTool[]): Promise<void>;
  /** Everything of one server, when it is removed. */
  forgetServer(owner: OwnerId, server: string): Promise<void>;
}
