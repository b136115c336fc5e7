/** Somebody who hears of changes: a legacy session, a stdio connection, a handler's listen bus. */
export interface Listener {
  toolsChanged(): void;
  promptsChanged(): void;
}

/** What all connections of one fixture process share. */
export interface World {
  readonly listeners: Set<Listener>;
  /** Whether the tool that comes and goes is there now. */
  extraTool: boolean;
  /** The same for the prompt. */
  extraPrompt: boolean;
}

export function newWorld(): World {
  return { listeners: new Set(), extraTool: false, extraPrompt: false };
}
