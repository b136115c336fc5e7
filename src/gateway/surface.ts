import type { JsonObject } from '../base/json.ts';

/**
 * What an endpoint shows of its tools, and what becomes of a call to one of those names. `all`
 * shows every tool; the leaner ones show a few tools of ours that lead to all others.
 */
export interface Surface {
  /** MCP tool definitions in a stable order: the same for every host of the scope. */
  list(): Promise<readonly JsonObject[]>;
  /** Throws a PlugError `not_found` for a name that it does not show. */
  call(name: string, args: JsonObject, make: MakeCall): Promise<JsonObject>;
}

/** Makes one call of a tool, `server/tool`, on behalf of the host's call: the one path of all calls. */
export interface MakeCall {
  call(tool: string, args: JsonObject, options?: MakeCallOptions): Promise<JsonObject>;
  readonly signal: AbortSignal;
  /** Tells the host that the call is still at work. */
  readonly note: (message: string) => void;
}

export interface MakeCallOptions {
  /** Ends this call alone; the host's own signal ends it too. */
  readonly signal?: AbortSignal;
  /** The result however large it is: a program reads it, not a model. */
  readonly whole?: boolean;
}
