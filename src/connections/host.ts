import type { Json, JsonObject } from '../base/json.ts';

export type HostRequestKind = 'elicitation' | 'sampling' | 'roots';

export interface HostRequest {
  readonly server: string;
  readonly kind: HostRequestKind;
  /** As a person may see them: the server's words bear its name already. */
  readonly params: JsonObject;
  readonly key?: string;
  /** The same for all questions of one result: a modern server keeps nothing else of its call. */
  readonly round?: ServerRound;
}

export interface ServerRound {
  /** The server's `requestState`, if it gave one. */
  readonly state: Json | undefined;
}

export interface HostPlace {
  readonly id: string;
  readonly cwd?: string;
}

/** Answers with the MCP result object of the request. */
export type HostHandler = (
  request: HostRequest,
  options: { readonly signal: AbortSignal },
) => Promise<JsonObject>;

/** Only what is given here is declared to servers. */
export interface HostHandlers {
  readonly elicitation?: HostHandler;
  readonly sampling?: HostHandler;
  readonly roots?: HostHandler;
  /** A server says that a page it asked to open is done with. Modern hosts are told nothing. */
  readonly pageDone?: (elicitationId: string) => void;
  /** As the host declared them; modern servers are told exactly this. */
  readonly capabilities?: JsonObject;
}
