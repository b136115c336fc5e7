import type { JsonObject } from '../base/json.ts';

/** What a server may ask of its host. */
export type HostRequestKind = 'elicitation' | 'sampling' | 'roots';

export interface HostRequest {
  readonly server: string;
  readonly kind: HostRequestKind;
  /** As a person may see them: the server's words bear its name already. */
  readonly params: JsonObject;
  /** The key under which a modern server asked. */
  readonly key?: string;
}

/** Who a host is and where it works. */
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
  /** As the host declared them; modern servers are told exactly this. */
  readonly capabilities?: JsonObject;
}
