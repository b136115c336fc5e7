import type { JsonObject } from '../base/json.ts';

/** How an endpoint shows and calls its tools: all of them, or a few of ours that lead to the rest. */
export interface Surface {
  /** In a stable order, the same for every host of the scope that shows apps, or shows none. */
  list(host?: { readonly showsApps: boolean }): Promise<readonly JsonObject[]>;
  /** Throws `not_found` for a name it doesn't show. */
  call(name: string, args: JsonObject, make: MakeCall): Promise<JsonObject>;
}

export interface MakeCall {
  call(tool: string, args: JsonObject, options?: MakeCallOptions): Promise<JsonObject>;
  readonly signal: AbortSignal;
  /** The hub's id of the host whose call it is: some servers have a connection for each host. */
  readonly host?: string;
  readonly note: (message: string) => void;
}

export interface MakeCallOptions {
  readonly signal?: AbortSignal;
  /** However large: a program reads it, not a model. */
  readonly whole?: boolean;
  /** The tool is listed as itself, perhaps with an output schema that hosts check. */
  readonly wholeStructured?: boolean;
}
