import type { ToolFilter } from './definition.ts';

/** A named subset of servers and tools, per conversation, host or agent. */
export interface Profile {
  readonly name: string;
  /** Globs over server ids; absent means all. */
  readonly servers?: readonly string[];
  /** Globs over canonical names, `server/tool`. */
  readonly tools?: ToolFilter;
  readonly readOnly?: boolean;
}
